import type pg from 'pg';
import type { MoneyCaps } from '#domain/api-keys/money-caps.ts';
import type { Permission } from '#domain/api-keys/permissions.ts';
import type { Prisma } from '#prisma';
import {
  type AccountTerms,
  applyDueTerms,
  areInForce,
  TERMS_COLUMNS,
  type TermsRow,
  toTerms,
} from '../accounts/account-terms.ts';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import { toBytes } from '../connection/bytes.ts';
import type { Database } from '../connection/database.ts';

/** The owner of a valid key. */
export type KeyOwner = AccountTerms & {
  keyId: string;
  actor: { kind: 'key'; keyId: string };
  permissions: readonly Permission[];
  /** Texts of parseIpRange; empty: it may come from anywhere. */
  allowedIps: readonly string[];
  /** The key is invalid from then on; null: it does not expire. */
  expiresAt: Date | null;
  /** The first key of its rotations; its own id when it was never rotated. */
  firstKeyId: string;
};

type KeyRow = TermsRow & Pick<KeyOwner, 'keyId' | 'permissions' | 'allowedIps' | 'expiresAt' | 'firstKeyId'>;

/**
 * Looks a key up by its SHA-256; null for one that is unknown, revoked or expired. Stores the time
 * of its use, which the caller's cache limits to once a minute.
 */
export async function findKeyOwner(db: pg.Pool, hash: Buffer, now: Date): Promise<KeyOwner | null> {
  const { rows } = await db.query<KeyRow>({
    name: 'find-key-owner',
    text: `WITH used AS (
        UPDATE api_keys SET last_used_at = $2 WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
        RETURNING id, account_id, permissions, allowed_ips, expires_at, coalesce(first_key_id, id) AS first_key_id)
      SELECT used.id AS "keyId", used.permissions, used.allowed_ips AS "allowedIps", used.expires_at AS "expiresAt",
        used.first_key_id AS "firstKeyId",
        ${TERMS_COLUMNS}
      FROM used JOIN accounts a ON a.id = used.account_id JOIN merchants m ON m.id = a.merchant_id`,
    values: [hash, now],
  });
  const [row] = rows;
  if (row && !areInForce(row, now)) {
    await applyDueTerms(db, row.accountId, now);
    return findKeyOwner(db, hash, now);
  }
  return row ? { ...toTerms(row), actor: { kind: 'key', keyId: row.keyId } } : null;
}

/** A key as it is kept: never the key itself. */
export type StoredKey = {
  id: string;
  name: string;
  /** Its first characters. `lastFour`: its last ones. */
  prefix: string;
  lastFour: string;
  permissions: Permission[];
  allowedIps: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  replacedById: string | null;
  /** What it may withdraw at most in a call and in a day; null: it may not. */
  callCapCentavos: bigint | null;
  dayCapCentavos: bigint | null;
};

export type NewKey = Pick<StoredKey, 'id' | 'name' | 'prefix' | 'lastFour' | 'expiresAt'> & {
  accountId: string;
  hash: Buffer;
  permissions: readonly Permission[];
  allowedIps: readonly string[];
  /** With mcp:withdraw, and only with it. */
  caps: MoneyCaps | null;
  /** The member who makes it; null: the operator. */
  createdById: string | null;
  now: Date;
  /** Makes the audit entry of the same commit. */
  audit: (key: StoredKey) => AuditEntry;
};

const STORED = {
  id: true,
  name: true,
  prefix: true,
  lastFour: true,
  permissions: true,
  allowedIps: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
  revokedAt: true,
  replacedById: true,
  callCapCentavos: true,
  dayCapCentavos: true,
} as const satisfies Prisma.ApiKeySelect;

/** The database has the permissions as texts. */
const toStored = <Row extends { permissions: string[] }>(row: Row) => ({
  ...row,
  permissions: row.permissions as Permission[],
});

/** A key is active while it is neither revoked nor expired. */
const isActiveAt = (now: Date) => ({ revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] });
const isOverAt = (now: Date) => ({ OR: [{ revokedAt: { not: null } }, { expiresAt: { lte: now } }] });

/** Adds a key to an existing account. */
export async function insertApiKey(db: Database, { now, audit, caps, ...key }: NewKey): Promise<StoredKey> {
  const { hash, permissions, allowedIps } = key;
  const lists = { permissions: [...permissions], allowedIps: [...allowedIps] };
  const capped = { callCapCentavos: caps?.callCentavos ?? null, dayCapCentavos: caps?.dayCentavos ?? null };
  const data = { ...key, ...lists, ...capped, hash: toBytes(hash), createdAt: now };
  return db.prisma.$transaction(async (tx) => {
    const made = toStored(await tx.apiKey.create({ data, select: STORED }));
    await insertAuditIn(tx, audit(made));
    return made;
  });
}

/** An account's keys: the active ones, then the others, each newest first. */
export async function listApiKeys(
  db: Database,
  { accountId, now, limit }: { accountId: string; now: Date; limit: number },
): Promise<StoredKey[]> {
  const find = (condition: Prisma.ApiKeyWhereInput, take: number) =>
    db.prisma.apiKey.findMany({
      where: { accountId, ...condition },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take,
      select: STORED,
    });
  const working = await find(isActiveAt(now), limit);
  const others = working.length < limit ? await find(isOverAt(now), limit - working.length) : [];
  // One that was revoked between the two reads is in both.
  const over = new Set(others.map(({ id }) => id));
  return [...working.filter(({ id }) => !over.has(id)), ...others].map(toStored);
}

/** How many active keys an account has. */
export const countWorkingKeys = (db: Database, accountId: string, now: Date): Promise<number> =>
  db.prisma.apiKey.count({ where: { accountId, ...isActiveAt(now) } });

/** A key of an account; null when the account has no such key. */
export async function findApiKey(db: Database, accountId: string, id: string): Promise<StoredKey | null> {
  const key = await db.prisma.apiKey.findUnique({ where: { id, accountId }, select: STORED });
  return key && toStored(key);
}

/** Returns the id of the first key of this one's rotations; null when there is no such key. */
export async function findFirstKeyId(db: Database, id: string): Promise<string | null> {
  const key = await db.prisma.apiKey.findUnique({ where: { id }, select: { firstKeyId: true } });
  return key && (key.firstKeyId ?? id);
}

/** The fields of a replacement key that are its own; it inherits the others. */
export type ReplacementKey = Pick<StoredKey, 'id' | 'prefix' | 'lastFour'> & { hash: Buffer; rotatedById: string };

/**
 * Replaces an active key by one with the same name, permissions, addresses and caps, and with the
 * same lifetime, counted from now. The old key stays active until `until`, or until its own expiry
 * where that is earlier. By the same commit every process drops what it has cached of the account.
 * Returns the new key and the old one as it is now; null, with nothing changed, when the account
 * has no such active key or it was replaced already.
 */
export async function replaceApiKey(
  db: Database,
  {
    accountId,
    keyId,
    replacement,
    until,
    now,
    audit,
  }: {
    accountId: string;
    keyId: string;
    replacement: ReplacementKey;
    until: Date;
    now: Date;
    /** Makes the audit entry of the same commit. */
    audit: (key: StoredKey, oldKeyWorksUntil: Date) => AuditEntry;
  },
): Promise<{ key: StoredKey; replaced: StoredKey } | null> {
  const where = { id: keyId, accountId, replacedById: null, ...isActiveAt(now) };
  const caps = { callCapCentavos: true, dayCapCentavos: true } as const;
  const inherited = { name: true, permissions: true, allowedIps: true, createdById: true, ...caps } as const;
  return db.prisma.$transaction(async (tx) => {
    const select = { ...inherited, createdAt: true, expiresAt: true, firstKeyId: true } as const;
    const old = await tx.apiKey.findUnique({ where, select });
    if (!old) return null;
    const { createdAt, expiresAt, firstKeyId, ...same } = old;
    const ends = expiresAt && expiresAt < until ? expiresAt : until;
    // Of two at once, and of this and a revocation, the row's lock lets one through.
    const [replaced] = await tx.apiKey.updateManyAndReturn({
      where: { ...where, expiresAt },
      data: { replacedById: replacement.id, expiresAt: ends },
      select: STORED,
    });
    if (!replaced) return null;
    const newEnd = expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
    const data = {
      ...same,
      ...replacement,
      accountId,
      firstKeyId: firstKeyId ?? keyId,
      hash: toBytes(replacement.hash),
      createdAt: now,
      expiresAt: newEnd,
    };
    const made = toStored(await tx.apiKey.create({ data, select: STORED }));
    await insertAuditIn(tx, audit(made, ends));
    // Other processes may have cached the old key with its former expiry.
    await invalidateAccountCachesIn(tx, accountId);
    return { key: made, replaced: toStored(replaced) };
  });
}

/** What a key is called, and how it begins; null when there is no such key. */
export const findKeyLabel = (db: Database, keyId: string): Promise<{ name: string; prefix: string } | null> =>
  db.prisma.apiKey.findUnique({ where: { id: keyId }, select: { name: true, prefix: true } });

export type RevokedKey = { keyId: string; name: string; accountId: string; merchantId: string; wasRevoked: boolean };

/**
 * Revokes a key by its id (of an account, where one is named) or by its hash; null when there is
 * none. A key that was revoked before is not changed: `wasRevoked`. `audit` makes the entry of the
 * same commit, by which every process drops what it has cached of the account.
 */
export async function revokeKey(
  db: Database,
  which: { id: string; accountId?: string } | { hash: Buffer },
  now: Date,
  audit: (key: Omit<RevokedKey, 'wasRevoked'>) => AuditEntry,
): Promise<RevokedKey | null> {
  const where = 'id' in which ? which : { hash: toBytes(which.hash) };
  const select = { id: true, name: true, accountId: true, account: { select: { merchantId: true } } } as const;
  return db.prisma.$transaction(async (tx) => {
    const key = await tx.apiKey.findUnique({ where, select });
    if (!key) return null;
    const { id, name, accountId, account } = key;
    const { count } = await tx.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: now } });
    const revoked = { keyId: id, name, accountId, merchantId: account.merchantId };
    if (count === 1) await insertAuditIn(tx, audit(revoked));
    await invalidateAccountCachesIn(tx, accountId);
    return { ...revoked, wasRevoked: count === 0 };
  });
}

/**
 * The channel that notifies every process that an account's keys or settings changed; the payload
 * is the account's id, or its merchant's; empty for all.
 */
export const ACCOUNTS_CHANNEL = 'trilho_accounts';

/**
 * Makes every process drop what it has cached of an account, or of all accounts of a merchant, by
 * the commit of a transaction: a process that dies right after it has notified all others. Only for
 * changes that are rare, because commits that notify wait for each other.
 */
export async function invalidateAccountCaches(client: pg.PoolClient, id: string): Promise<void> {
  await client.query('SELECT pg_notify($1, $2)', [ACCOUNTS_CHANNEL, id]);
}

/** The same in a transaction of Prisma. */
export async function invalidateAccountCachesIn(
  tx: Pick<Prisma.TransactionClient, '$executeRaw'>,
  id: string,
): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${ACCOUNTS_CHANNEL}, ${id})`;
}

/** The id that stands for every account. */
export const ALL_ACCOUNTS = '';
