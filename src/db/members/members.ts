import type pg from 'pg';
import { hashLoginSecret } from '#domain/members/login-secret.ts';
import type { Database } from '../connection/database.ts';

export type SignedInMember = {
  memberId: string;
  merchantId: string;
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

/** Whose session this token is; null for one that is unknown, over, or of an address that was never confirmed. */
export async function findSignedIn(db: pg.Pool, token: string, now: Date): Promise<SignedInMember | null> {
  const { rows } = await db.query<SignedInMember>({
    name: 'find-signed-in',
    text: `SELECT m.id AS "memberId", m.merchant_id AS "merchantId", s.id AS "sessionId", m.name, m.email, m.language, m.theme,
        m.withdrawals_blocked_until AS "withdrawalsBlockedUntil",
        m.two_factor_enabled OR EXISTS (SELECT FROM passkeys p WHERE p.member_id = m.id) AS "hasSecondFactor"
      FROM sessions s JOIN members m ON m.id = s.member_id
      WHERE s.token = $1 AND s.expires_at > $2 AND m.email_verified`,
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

/** A member by what a request at the sign-in named; null: nobody. */
export async function findMemberBy(
  db: pg.Pool,
  which: { memberId: string } | { email: string } | { credentialId: string },
): Promise<{ memberId: string; merchantId: string } | null> {
  const [condition, value] =
    'memberId' in which
      ? ['m.id = $1', which.memberId]
      : 'email' in which
        ? ['m.email = $1', which.email]
        : ['m.id = (SELECT p.member_id FROM passkeys p WHERE p.credential_id = $1)', which.credentialId];
  const { rows } = await db.query<{ memberId: string; merchantId: string }>(
    `SELECT m.id AS "memberId", m.merchant_id AS "merchantId" FROM members m WHERE ${condition}`,
    [value],
  );
  return rows[0] ?? null;
}

/** Notes that the member has just proved who he is. */
export async function confirmSession(db: pg.Pool, sessionId: string, now: Date): Promise<void> {
  await db.query('UPDATE sessions SET confirmed_at = $2 WHERE id = $1', [sessionId, now]);
}

/** Whether the proof is not older than `since`. */
export async function isConfirmed(db: pg.Pool, sessionId: string, since: Date): Promise<boolean> {
  const { rowCount } = await db.query('SELECT FROM sessions WHERE id = $1 AND confirmed_at >= $2', [sessionId, since]);
  return rowCount === 1;
}

/** Uses the proof up: of two that come at once, one gets it. */
export async function takeConfirmation(db: pg.Pool, sessionId: string, since: Date): Promise<boolean> {
  const { rowCount } = await db.query('UPDATE sessions SET confirmed_at = NULL WHERE id = $1 AND confirmed_at >= $2', [
    sessionId,
    since,
  ]);
  return rowCount === 1;
}

/** The member's authenticator secret (encrypted by better-auth) when one is in use. */
export async function findTotpSecret(db: pg.Pool, memberId: string): Promise<string | null> {
  const { rows } = await db.query<{ secret: string }>(
    `SELECT t.secret FROM two_factors t JOIN members m ON m.id = t.member_id
     WHERE t.member_id = $1 AND m.two_factor_enabled AND t.verified IS NOT FALSE`,
    [memberId],
  );
  return rows[0]?.secret ?? null;
}

/** The secret of an authenticator that is being set up or in use. */
export async function findAnyTotpSecret(db: pg.Pool, memberId: string): Promise<string | null> {
  const { rows } = await db.query<{ secret: string }>('SELECT secret FROM two_factors WHERE member_id = $1', [
    memberId,
  ]);
  return rows[0]?.secret ?? null;
}

/** Ends the lock of a member's second factor that wrong codes brought about. */
export async function unlockSecondFactor(db: pg.Pool, memberId: string): Promise<void> {
  await db.query('UPDATE two_factors SET failed_verification_count = 0, locked_until = NULL WHERE member_id = $1', [
    memberId,
  ]);
}

/** Notes the time step of a code that is being used; false when it, or a later one, was used before (RFC 6238 section 5.2). */
export async function claimTotpStep(db: pg.Pool, memberId: string, step: bigint): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE two_factors SET last_step = $2 WHERE member_id = $1 AND (last_step IS NULL OR last_step < $2)',
    [memberId, step],
  );
  return rowCount === 1;
}

/** The member, and keys of their making, send no money until then, or until a later instant that was set before. */
export async function blockWithdrawals(db: pg.Pool, memberId: string, until: Date): Promise<void> {
  await db.query(
    'UPDATE members SET withdrawals_blocked_until = greatest(withdrawals_blocked_until, $2) WHERE id = $1',
    [memberId, until],
  );
}

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

/** Ends sessions of a member: one, or all but one. Gives how many there were. */
export async function endSessions(
  db: Database,
  memberId: string,
  which: { id: string } | { allBut: string },
): Promise<number> {
  const id = 'id' in which ? which.id : { not: which.allBut };
  const { count } = await db.prisma.session.deleteMany({ where: { memberId, id } });
  return count;
}

/** Ends the session of this token. */
export async function endSessionOf(db: pg.Pool, token: string): Promise<void> {
  await db.query('DELETE FROM sessions WHERE token = $1', [hashLoginSecret(token)]);
}

/** Forgets sessions that ended before; gives how many. */
export async function deleteEndedSessions(db: pg.Pool, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    'DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at < $1 LIMIT $2)',
    [before, limit],
  );
  return rowCount ?? 0;
}

/** Forgets links and challenges of the sign-in that are over; anybody can have them made. */
export async function deleteLoginTokens(db: pg.Pool, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    'DELETE FROM login_tokens WHERE id IN (SELECT id FROM login_tokens WHERE expires_at < $1 LIMIT $2)',
    [before, limit],
  );
  return rowCount ?? 0;
}

export const listPasskeys = (db: Database, memberId: string) =>
  db.prisma.passkey.findMany({
    where: { memberId },
    orderBy: { createdAt: 'asc' },
    select: { id: true, name: true, createdAt: true, deviceType: true },
  });

/** The hash of a member's password; null when he has none. */
export async function findPasswordHash(db: pg.Pool, memberId: string): Promise<string | null> {
  const { rows } = await db.query<{ password: string | null }>(
    `SELECT password FROM logins WHERE member_id = $1 AND provider_id = 'credential'`,
    [memberId],
  );
  return rows[0]?.password ?? null;
}
