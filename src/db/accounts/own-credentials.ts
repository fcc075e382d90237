import type pg from 'pg';
import type { Prisma } from '#prisma';
import { invalidateAccountCachesIn } from '../api-keys/api-keys.ts';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import type { Database } from '../connection/database.ts';
import type { CredentialKind } from './account-terms.ts';

/** An account's own credentials as they are kept. */
export type StoredCredential = {
  id: string;
  /** Its own id, or that of the first credentials that led to the same account at the provider. */
  railId: string;
  sealed: string;
  connectedById?: string;
  checkedAt?: Date;
  checkResult?: string;
};

/** Credentials to be stored. */
export type NewCredential = StoredCredential & {
  /** Whether another account's lead to the same account at the provider. */
  isTakenBy(other: { id: string; sealed: string }): boolean;
};

/**
 * Another account uses these credentials: each of the two would book the other's money as its own.
 */
export class CredentialsTaken extends Error {}

/** Sealed credentials, with when they were replaced or disconnected; null: they are in use. */
export type CredentialVersion = { id: string; kind: string; sealed: string; endedAt: Date | null };

/**
 * Every version of the credentials of one rail, the newest first; none when there is no such rail.
 */
export async function findCredentialVersions(db: Database, railId: string): Promise<CredentialVersion[]> {
  return db.prisma.credential.findMany({
    where: { railId },
    select: { id: true, kind: true, sealed: true, endedAt: true },
    orderBy: { id: 'desc' },
  });
}

/** All credentials of this kind that an account has or had, the newest first. */
export async function listCredentialsOf(
  db: Database,
  accountId: string,
  kind: CredentialKind,
): Promise<{ id: string; railId: string; sealed: string; isActive: boolean }[]> {
  return db.prisma.credential.findMany({
    where: { accountId, kind },
    select: { id: true, railId: true, sealed: true, isActive: true },
    orderBy: { id: 'desc' },
  });
}

/** Lists the credentials of this kind that are in use by accounts other than `accountId`. */
export async function listCredentialsOfOthers(
  db: Pick<Database['prisma'], 'credential'>,
  accountId: string,
  kind: string,
): Promise<{ id: string; sealed: string }[]> {
  return db.credential.findMany({
    where: { accountId: { not: accountId }, kind, isActive: true },
    select: { id: true, sealed: true },
  });
}

export type ConnectedCredential = {
  id: string;
  railId: string;
  kind: string;
  sealed: string;
  createdAt: Date;
  /** The member's name; null: the operator, or somebody who is gone. */
  connectedBy: string | null;
  isByOperator: boolean;
  checkedAt: Date | null;
  checkResult: string | null;
};

/** The credentials that an account uses, with who connected them. */
export async function listConnected(db: Database, accountId: string): Promise<ConnectedCredential[]> {
  const found = await db.prisma.credential.findMany({ where: { accountId, isActive: true }, orderBy: { id: 'asc' } });
  const ids = found.flatMap(({ connectedById }) => connectedById ?? []);
  const members = await db.prisma.member.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return found.map(({ connectedById, ...credential }) => ({
    ...credential,
    connectedBy: members.find(({ id }) => id === connectedById)?.name ?? null,
    isByOperator: connectedById === null,
  }));
}

/** The credentials of this kind that an account uses; null when it has none of its own. */
export async function findCredentialOf(
  db: Database,
  accountId: string,
  kind: CredentialKind,
): Promise<{ id: string; railId: string; sealed: string } | null> {
  return db.prisma.credential.findFirst({
    where: { accountId, kind, isActive: true },
    select: { id: true, railId: true, sealed: true },
  });
}

/** Returns the account whose own credentials a rail uses; null when there are none of this id. */
export async function findCredentialOwner(db: Database, railId: string): Promise<string | null> {
  const found = await db.prisma.credential.findUnique({ where: { id: railId }, select: { accountId: true } });
  return found?.accountId ?? null;
}

/** Lists the rail ids of the credentials of a kind that are in use. */
export async function listCredentials(db: Database, kind: string): Promise<string[]> {
  const found = await db.prisma.credential.findMany({ where: { kind, isActive: true }, select: { railId: true } });
  return found.map(({ railId }) => railId);
}

/**
 * Replaces the credentials of a kind that an account uses, or ends their use (`value` null), with
 * the audit, in one commit, by which every process uses the changed ones, and registers callbacks
 * with their provider. `replaces` is the id of those in use; null: none are. Returns false, and
 * changes nothing, when others are in use by now. Throws CredentialsTaken.
 */
export async function replaceCredential(
  db: Database,
  change: {
    accountId: string;
    kind: CredentialKind;
    replaces: string | null;
    value: NewCredential | null;
    now: Date;
    audit: AuditEntry;
  },
): Promise<boolean> {
  const { accountId, kind, replaces, value, now, audit } = change;
  return db.prisma.$transaction(async (tx) => {
    await lockCredentialsIn(tx, accountId);
    const active = await tx.credential.findFirst({
      where: { accountId, kind, isActive: true },
      select: { id: true },
    });
    if ((active?.id ?? null) !== replaces) return false;
    await replaceCredentialIn(tx, { accountId, kind, value, now });
    await insertAuditIn(tx, audit);
    await invalidateAccountCachesIn(tx, accountId);
    return true;
  });
}

/** A replacement at the same time waits here, and then finds other credentials in use. */
export async function lockCredentialsIn(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM accounts WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
}

/**
 * Replaces them, or ends their use, in the caller's transaction, whatever is in use. Throws
 * CredentialsTaken.
 */
export async function replaceCredentialIn(
  tx: Prisma.TransactionClient,
  change: { accountId: string; kind: string; value: NewCredential | null; now: Date },
): Promise<void> {
  const { accountId, kind, value, now } = change;
  await tx.credential.updateMany({
    where: { accountId, kind, isActive: true },
    data: { isActive: false, endedAt: now },
  });
  if (!value) return;
  const { isTakenBy, ...row } = value;
  // They are sealed, so no index can hold them apart: one transaction at a time looks at those of
  // all others, and stores its own.
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('credentials', 0))::text`;
  if ((await listCredentialsOfOthers(tx, accountId, kind)).some(isTakenBy)) throw new CredentialsTaken();
  await tx.credential.create({ data: { ...row, accountId, kind, createdAt: now } });
}

/** Notes what the provider said of credentials that are in use. */
export async function saveCredentialCheck(
  db: Database,
  { id, result, now }: { id: string; result: string; now: Date },
): Promise<void> {
  await db.prisma.credential.update({ where: { id }, data: { checkedAt: now, checkResult: result } });
}

/** How many of an account's transactions over a rail are unfinished, by kind. */
export type InFlight = { charges: number; invoices: number; withdrawals: number; refunds: number; disputes: number };

/**
 * Counts what is unfinished over one of the account's own rails: what was created before `before`,
 * or everything when that is null.
 */
export async function countInFlight(
  db: pg.Pool,
  of: { accountId: string; rail: string; before: Date | null },
): Promise<InFlight> {
  const { rows } = await db.query<InFlight>({
    name: 'count-in-flight',
    text: `SELECT
        count(*) FILTER (WHERE type = 'pix_in')::integer AS charges,
        count(*) FILTER (WHERE type = 'crypto_in')::integer AS invoices,
        count(*) FILTER (WHERE type IN ('pix_out', 'crypto_out'))::integer AS withdrawals,
        (SELECT count(*) FROM refunds r JOIN transactions x ON x.id = r.transaction_id
          WHERE r.status = 'pending' AND x.account_id = $1 AND x.rail = $2
            AND ($3::timestamptz IS NULL OR r.created_at < $3))::integer AS refunds,
        (SELECT count(*) FROM disputes d JOIN transactions x ON x.id = d.transaction_id
          WHERE d.account_id = $1 AND d.state IN ('open', 'answered', 'lost') AND x.rail = $2
            AND ($3::timestamptz IS NULL OR x.created_at < $3))::integer AS disputes
      FROM transactions WHERE account_id = $1 AND type IN ('pix_in', 'crypto_in', 'pix_out', 'crypto_out')
        AND status IN ('pending', 'processing', 'review') AND rail = $2
        AND ($3::timestamptz IS NULL OR created_at < $3)`,
    values: [of.accountId, of.rail, of.before],
  });
  if (!rows[0]) throw new Error('A count gave no row.');
  return rows[0];
}
