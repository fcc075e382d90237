import { hashLoginSecret } from '#domain/members/hash-login-secret.ts';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import type { Database } from '../connection/database.ts';

export type OperatorRow = {
  id: string;
  name: string;
  email: string;
  passwordHash: string;
  /** Sealed. */
  totpSecret: string;
  disabledAt: Date | null;
  createdAt: Date;
};

const OPERATOR = {
  id: true,
  name: true,
  email: true,
  passwordHash: true,
  totpSecret: true,
  disabledAt: true,
  createdAt: true,
} as const;

/** Writes a new operator, with the audit in one commit. False: the address has one. */
export async function insertOperator(
  db: Database,
  row: Omit<OperatorRow, 'disabledAt'>,
  audit: AuditEntry,
): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    const { count } = await tx.operator.createMany({ data: [row], skipDuplicates: true });
    if (count === 1) await insertAuditIn(tx, audit);
    return count === 1;
  });
}

export const findOperatorBy = (db: Database, which: { id: string } | { email: string }): Promise<OperatorRow | null> =>
  db.prisma.operator.findUnique({ where: which, select: OPERATOR });

export const listOperators = (db: Database): Promise<OperatorRow[]> =>
  db.prisma.operator.findMany({ orderBy: { id: 'asc' }, select: OPERATOR });

/**
 * Changes an operator's credentials, or disables them, with the audit in one commit. Ends all their
 * sessions.
 */
export async function changeOperator(
  db: Database,
  id: string,
  change: { passwordHash: string; totpSecret: string; lastTotpStep: null; disabledAt: null } | { disabledAt: Date },
  audit: AuditEntry,
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    await tx.operator.update({ where: { id }, data: change, select: { id: true } });
    await tx.operatorSession.deleteMany({ where: { operatorId: id } });
    await insertAuditIn(tx, audit);
  });
}

/**
 * Replaces the hash of an operator's password by another one of the same password. Nothing happens
 * where the password was changed meanwhile.
 */
export async function replaceOperatorHash(db: Database, id: string, hash: { from: string; to: string }): Promise<void> {
  await db.prisma.operator.updateMany({ where: { id, passwordHash: hash.from }, data: { passwordHash: hash.to } });
}

/** Notes the time step of a code that is being used; false when it, or a later one, was used. */
export async function claimOperatorTotpStep(db: Database, id: string, step: bigint): Promise<boolean> {
  const where = { id, OR: [{ lastTotpStep: null }, { lastTotpStep: { lt: step } }] };
  return (await db.prisma.operator.updateMany({ where, data: { lastTotpStep: step } })).count === 1;
}

export type OperatorSessionRow = {
  id: string;
  operatorId: string;
  tokenHash: string;
  ipAddress: string | null;
  userAgent: string | null;
  confirmedAt: Date;
  createdAt: Date;
  expiresAt: Date;
};

/**
 * Begins a session of an operator whose password has this hash. False: it was changed meanwhile, or
 * they were disabled.
 */
export async function insertOperatorSession(
  db: Database,
  { passwordHash, ...row }: OperatorSessionRow & { passwordHash: string },
  audit: AuditEntry,
): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    // Changes nothing: it locks the row.
    const same = { where: { id: row.operatorId, passwordHash, disabledAt: null }, data: { passwordHash } };
    if ((await tx.operator.updateMany(same)).count === 0) return false;
    await tx.operatorSession.create({ data: row, select: { id: true } });
    await insertAuditIn(tx, audit);
    return true;
  });
}

export type SignedInOperator = {
  operatorId: string;
  name: string;
  email: string;
  sessionId: string;
  /** When they last typed a code in this session. */
  confirmedAt: Date;
};

/** Whose session this token is; null for one that is unknown or over, or of a disabled operator. */
export async function findSignedInOperator(db: Database, token: string, now: Date): Promise<SignedInOperator | null> {
  const session = await db.prisma.operatorSession.findUnique({
    where: { tokenHash: hashLoginSecret(token), expiresAt: { gt: now }, operator: { disabledAt: null } },
    select: { id: true, confirmedAt: true, operator: { select: { id: true, name: true, email: true } } },
  });
  if (!session) return null;
  const { id, name, email } = session.operator;
  return { operatorId: id, name, email, sessionId: session.id, confirmedAt: session.confirmedAt };
}

export async function confirmOperatorSession(db: Database, id: string, now: Date): Promise<void> {
  await db.prisma.operatorSession.updateMany({ where: { id }, data: { confirmedAt: now } });
}

export async function endOperatorSession(db: Database, id: string): Promise<void> {
  await db.prisma.operatorSession.deleteMany({ where: { id } });
}

/** Deletes at most `limit` sessions that ended before `before`; returns how many. */
export async function deleteEndedOperatorSessions(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.prisma.operatorSession.deleteMany({ where: { expiresAt: { lt: before } }, limit })).count;
}
