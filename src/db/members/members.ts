import type pg from 'pg';
import { hashLoginSecret } from '#domain/members/hash-login-secret.ts';
import type { Role } from '#domain/members/roles.ts';
import type { Prisma } from '#prisma';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import type { Database } from '../connection/database.ts';

export type SignedInMember = {
  memberId: string;
  /** For whom they act in this browser. */
  merchantId: string;
  role: Role;
  sessionId: string;
  name: string;
  email: string;
  /** Whether a second factor is set up: an authenticator app or a passkey. */
  hasSecondFactor: boolean;
  withdrawalsBlockedUntil: Date | null;
  /** pt-BR or en; null: as the browser asks. */
  language: string | null;
  /** light or dark; null: as the system is. */
  theme: string | null;
};

/**
 * The member whose session this token is; null when the session is unknown or over, or when the
 * member belongs to no merchant. Every member's address is confirmed: the table takes no other
 * (`members_email_verified`).
 */
export async function findSignedIn(db: pg.Pool, token: string, now: Date): Promise<SignedInMember | null> {
  const { rows } = await db.query<SignedInMember>({
    name: 'find-signed-in',
    text: `SELECT m.id AS "memberId", o.merchant_id AS "merchantId", o.role, s.id AS "sessionId", m.name, m.email, m.language, m.theme,
        m.withdrawals_blocked_until AS "withdrawalsBlockedUntil",
        m.two_factor_enabled OR EXISTS (SELECT FROM passkeys p WHERE p.member_id = m.id) AS "hasSecondFactor"
      FROM sessions s JOIN members m ON m.id = s.member_id
        CROSS JOIN LATERAL (SELECT merchant_id, role FROM memberships WHERE member_id = m.id
          ORDER BY merchant_id = s.merchant_id DESC NULLS LAST, created_at, merchant_id LIMIT 1) o
      WHERE s.token = $1 AND s.expires_at > $2`,
    values: [hashLoginSecret(token), now],
  });
  return rows[0] ?? null;
}

/** The account of a merchant in one mode; null when it has none. */
export async function findAccountOf(db: pg.Pool, merchantId: string, mode: 'live' | 'test'): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-account-of',
    text: 'SELECT id FROM accounts WHERE merchant_id = $1 AND mode = $2::mode',
    values: [merchantId, mode],
  });
  return rows[0]?.id ?? null;
}

/**
 * A member by what a sign-in request names, with the merchants that they act for; null when there
 * is none.
 */
export async function findMemberBy(
  db: Database,
  which: { memberId: string } | { email: string } | { credentialId: string },
): Promise<{ memberId: string; merchantIds: string[] } | null> {
  const where =
    'memberId' in which
      ? { id: which.memberId }
      : 'email' in which
        ? { email: which.email }
        : { passkeys: { some: { credentialId: which.credentialId } } };
  const select = { id: true, memberships: { select: { merchantId: true } } } as const;
  const member = await db.prisma.member.findFirst({ where, select });
  return member && { memberId: member.id, merchantIds: member.memberships.map(({ merchantId }) => merchantId) };
}

/** Notes that the member has just proved who they are. */
export async function confirmSession(db: Database, id: string, now: Date): Promise<void> {
  await db.prisma.session.updateMany({ where: { id }, data: { confirmedAt: now } });
}

/** Whether the member proved who they are in this session at `since` or later. */
export const isConfirmed = async (db: Database, id: string, since: Date): Promise<boolean> =>
  (await db.prisma.session.count({ where: { id, confirmedAt: { gte: since } } })) === 1;

/**
 * Uses up the confirmation of a session, if it is not older than `since`: of two calls at once, one
 * returns true.
 */
export async function takeConfirmation(db: Database, id: string, since: Date): Promise<boolean> {
  const where = { id, confirmedAt: { gte: since } };
  return (await db.prisma.session.updateMany({ where, data: { confirmedAt: null } })).count === 1;
}

/** An authenticator that is not just being set up. */
const IN_USE = { OR: [{ verified: true }, { verified: null }] };

/** The member's authenticator secret, encrypted by better-auth; null where none is in use. */
export async function findTotpSecret(db: Database, memberId: string): Promise<string | null> {
  const where = { memberId, ...IN_USE, member: { twoFactorEnabled: true } };
  const found = await db.prisma.twoFactor.findFirst({ where, select: { secret: true } });
  return found?.secret ?? null;
}

/** The same of one that is in use or being set up; null where there is neither. */
export async function findAnyTotpSecret(db: Database, memberId: string): Promise<string | null> {
  const found = await db.prisma.twoFactor.findFirst({ where: { memberId }, select: { secret: true } });
  return found?.secret ?? null;
}

/**
 * Puts the authenticator in use that a member sets up with this secret, as better-auth encrypts it.
 * Returns false when it is set up with another one since, or is not any more.
 */
export const startUsingTotp = (
  db: Database,
  { memberId, sealedSecret, now }: { memberId: string; sealedSecret: string; now: Date },
): Promise<boolean> =>
  db.prisma.$transaction(async (tx) => {
    const where = { memberId, secret: sealedSecret, verified: false };
    const { count } = await tx.twoFactor.updateMany({ where, data: { verified: true } });
    if (count === 1) await setTotpFlag(tx, memberId, true, now);
    return count === 1;
  });

/**
 * Removes the authenticator that a member uses; where they have no second factor then, they send no
 * money until `until`, by the same commit. Returns false when none is in use.
 */
export const removeTotp = (
  db: Database,
  { memberId, until, now }: { memberId: string; until: Date; now: Date },
): Promise<boolean> =>
  db.prisma.$transaction(async (tx) => {
    const { count } = await tx.twoFactor.deleteMany({ where: { memberId, ...IN_USE } });
    if (count !== 1) return false;
    await setTotpFlag(tx, memberId, false, now);
    await blockWithoutSecondFactor(tx, memberId, until);
    return true;
  });

/** Removes a passkey in the same way. Returns false when there is none. */
export const removePasskey = (db: Database, { id, until }: { id: string; until: Date }): Promise<boolean> =>
  db.prisma.$transaction(async (tx) => {
    const [removed] = await tx.$queryRaw<{ memberId: string }[]>`
      DELETE FROM passkeys WHERE id = ${id} RETURNING member_id AS "memberId"`;
    if (!removed) return false;
    // Of two that are removed at once, the later one sees that no other is left.
    await tx.$queryRaw`SELECT FROM members WHERE id = ${removed.memberId}::uuid FOR NO KEY UPDATE`;
    await blockWithoutSecondFactor(tx, removed.memberId, until);
    return true;
  });

/** The member's row is locked. */
async function blockWithoutSecondFactor(tx: Prisma.TransactionClient, memberId: string, until: Date): Promise<void> {
  if (!(await hasSecondFactorIn(tx, memberId))) await blockWithdrawalsIn(tx, memberId, until);
}

const setTotpFlag = (tx: Prisma.TransactionClient, id: string, twoFactorEnabled: boolean, now: Date) =>
  tx.member.updateMany({ where: { id }, data: { twoFactorEnabled, updatedAt: now } });

/** Whether a member has an authenticator in use, or a passkey. */
export const hasSecondFactor = (db: Database, memberId: string): Promise<boolean> =>
  hasSecondFactorIn(db.prisma, memberId);

const hasSecondFactorIn = async (tx: Pick<Prisma.TransactionClient, 'member'>, id: string): Promise<boolean> =>
  (await tx.member.count({ where: { id, OR: [{ twoFactorEnabled: true }, { passkeys: { some: {} } }] } })) === 1;

/** Ends the lock of a member's second factor that wrong codes caused. */
export async function unlockSecondFactor(db: Database, memberId: string): Promise<void> {
  const data = { failedVerificationCount: 0, lockedUntil: null };
  await db.prisma.twoFactor.updateMany({ where: { memberId }, data });
}

/**
 * Notes the time step of a code that is being used; false when it, or a later one, was used before
 * (RFC 6238 section 5.2).
 */
export async function claimTotpStep(db: Database, memberId: string, step: bigint): Promise<boolean> {
  const where = { memberId, OR: [{ lastStep: null }, { lastStep: { lt: step } }] };
  return (await db.prisma.twoFactor.updateMany({ where, data: { lastStep: step } })).count === 1;
}

/**
 * Lets the member, and keys that they made or rotated, send no money until `until`, or until a
 * later instant that was set before.
 */
export const blockWithdrawals = (db: Database, memberId: string, until: Date): Promise<void> =>
  blockWithdrawalsIn(db.prisma, memberId, until);

async function blockWithdrawalsIn(
  tx: Pick<Prisma.TransactionClient, 'member'>,
  id: string,
  withdrawalsBlockedUntil: Date,
): Promise<void> {
  const earlier = {
    OR: [{ withdrawalsBlockedUntil: null }, { withdrawalsBlockedUntil: { lt: withdrawalsBlockedUntil } }],
  };
  await tx.member.updateMany({ where: { id, ...earlier }, data: { withdrawalsBlockedUntil } });
}

/**
 * Takes every second factor from a member, also one that is being set up, ends their sessions, and
 * lets them send no money until `until`, with the audit in the same commit. Returns false, and
 * changes nothing, when they had none.
 */
export const takeSecondFactors = (
  db: Database,
  { memberId, until, now }: { memberId: string; until: Date; now: Date },
  audit: readonly AuditEntry[],
): Promise<boolean> =>
  db.prisma.$transaction(async (tx) => {
    // The flag counts without an authenticator, too: whoever has it alone can't sign in.
    if (!(await hasSecondFactorIn(tx, memberId))) return false;
    await tx.twoFactor.deleteMany({ where: { memberId } });
    await tx.passkey.deleteMany({ where: { memberId } });
    await setTotpFlag(tx, memberId, false, now);
    await blockWithdrawalsIn(tx, memberId, until);
    // The notices lock the memberships, which a removal locks before the sessions, too.
    for (const entry of audit) await insertAuditIn(tx, entry);
    await tx.session.deleteMany({ where: { memberId } });
    return true;
  });

export type SessionListing = {
  id: string;
  createdAt: Date;
  expiresAt: Date;
  ipAddress: string | null;
  userAgent: string | null;
};

/** The browsers in which a member is signed in, newest first. */
export const listSessions = (db: Database, memberId: string, now: Date): Promise<SessionListing[]> =>
  db.prisma.session.findMany({
    where: { memberId, expiresAt: { gt: now } },
    orderBy: { createdAt: 'desc' },
    select: { id: true, createdAt: true, expiresAt: true, ipAddress: true, userAgent: true },
  });

/**
 * Ends sessions of a member: one, all but one, or all. Returns how many there were; where there
 * were any, the audit is written in the same commit.
 */
export async function endSessions(
  db: Database,
  memberId: string,
  which: { id: string } | { allBut: string } | 'all',
  audit: (ended: number) => AuditEntry[],
): Promise<number> {
  const id = which === 'all' ? {} : 'id' in which ? { id: which.id } : { id: { not: which.allBut } };
  return db.prisma.$transaction(async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { memberId, ...id } });
    if (count > 0) for (const entry of audit(count)) await insertAuditIn(tx, entry);
    return count;
  });
}

/** Ends the session of this token. */
export async function endSessionOf(db: Database, token: string): Promise<void> {
  await db.prisma.session.deleteMany({ where: { token: hashLoginSecret(token) } });
}

/** Deletes at most `limit` sessions that ended before `before`; returns how many. */
export async function deleteEndedSessions(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.prisma.session.deleteMany({ where: { expiresAt: { lt: before } }, limit })).count;
}

/**
 * Deletes at most `limit` links and challenges of the sign-in that expired before `before`; returns
 * how many. Anybody can have them made.
 */
export async function deleteLoginTokens(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.prisma.loginToken.deleteMany({ where: { expiresAt: { lt: before } }, limit })).count;
}

export const listPasskeys = (db: Database, memberId: string) =>
  db.prisma.passkey.findMany({
    where: { memberId },
    orderBy: { createdAt: 'asc' },
    select: { id: true, name: true, createdAt: true, deviceType: true },
  });

/** The hash of a member's password; null when they have none, or there is no such member. */
export async function findPasswordHash(
  db: Database,
  which: { memberId: string } | { member: { email: string } },
): Promise<string | null> {
  const where = { ...which, providerId: 'credential' };
  return (await db.prisma.login.findFirst({ where, select: { password: true } }))?.password ?? null;
}

/**
 * Since when a member has their password; null when they have none. That the same one was hashed
 * again does not count.
 */
export async function findPasswordSince(db: Database, memberId: string): Promise<Date | null> {
  const where = { memberId, providerId: 'credential' };
  return (await db.prisma.login.findFirst({ where, select: { updatedAt: true } }))?.updatedAt ?? null;
}

/**
 * Replaces the hash of a member's password by another one of the same password. Nothing happens
 * where the password was changed meanwhile.
 */
export async function replacePasswordHash(
  db: Database,
  email: string,
  hash: { from: string; to: string },
): Promise<void> {
  const where = { member: { email }, providerId: 'credential', password: hash.from };
  await db.prisma.login.updateMany({ where, data: { password: hash.to } });
}
