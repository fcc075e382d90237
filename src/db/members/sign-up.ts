import type pg from 'pg';
import { Prisma } from '#prisma';
import { insertAccountIn, type NewAccount } from '../accounts/accounts.ts';
import type { Database } from '../connection/database.ts';

export type SignUpRow = { id: string; sealed: string };

/** A person who becomes a member: the address is proved, the password is hashed. */
export type NewMember = { id: string; name: string; email: string; passwordHash: string };

/** Why nobody became a member: the link is used or too old, or the address is a member's or a merchant's by now. */
export class LinkRefused extends Error {
  readonly why: 'link' | 'member' | 'merchant';

  constructor(why: LinkRefused['why']) {
    super(why);
    this.why = why;
  }
}

/** Keeps what was typed, with the task that writes the message. */
export async function insertSignUp(db: pg.Pool, row: SignUpRow & { expiresAt: Date; now: Date }): Promise<void> {
  await db.query(
    `WITH sign_up AS (INSERT INTO sign_ups (id, sealed, expires_at, created_at) VALUES ($1, $2, $3, $4))
      INSERT INTO tasks (kind, subject_id, due_at) VALUES ('sign_up', $1, $4)`,
    [row.id, row.sealed, row.expiresAt, row.now],
  );
}

/** What was typed; null once it was used, or too old. */
export async function findSignUp(db: pg.Pool, id: string): Promise<SignUpRow | null> {
  const { rows } = await db.query<SignUpRow>('SELECT id, sealed FROM sign_ups WHERE id = $1', [id]);
  return rows[0] ?? null;
}

/** The same by the token of its link. */
export async function findSignUpByToken(db: pg.Pool, tokenHash: Buffer, now: Date): Promise<SignUpRow | null> {
  const { rows } = await db.query<SignUpRow>(
    'SELECT id, sealed FROM sign_ups WHERE token_hash = $1 AND expires_at > $2',
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

export async function deleteSignUp(db: pg.Pool, id: string): Promise<void> {
  await db.query('DELETE FROM sign_ups WHERE id = $1', [id]);
}

/**
 * Uses a link up: its business with its accounts, its member and the password begin in one commit, or nothing does. Throws LinkRefused.
 */
export async function openSignedUp(
  db: Database,
  input: { tokenHash: Buffer; accounts: NewAccount[]; member: NewMember; now: Date },
): Promise<{ merchantId: string }> {
  const { tokenHash, accounts, member, now } = input;
  return inOneCommit(db, async (tx) => {
    await useUp(tx, 'sign_ups', tokenHash, now);
    if (await tx.member.findUnique({ where: { email: member.email } })) throw new LinkRefused('member');
    // Whose address it is does not say that he runs the business that bears it: that takes an invitation.
    if (await tx.merchant.findUnique({ where: { email: member.email } })) throw new LinkRefused('merchant');
    let merchantId = '';
    for (const account of accounts) merchantId = (await insertAccountIn(tx, account)).merchantId;
    await insertMember(tx, { ...member, merchantId }, now);
    return { merchantId };
  });
}

/**
 * Uses an invitation up, and makes its member. `further` are accounts that the merchant has not been given yet: the panel shows both
 * modes. Throws LinkRefused.
 */
export async function joinByInvitation(
  db: Database,
  input: { tokenHash: Buffer; member: NewMember; further: NewAccount[]; now: Date },
): Promise<{ merchantId: string }> {
  const { tokenHash, member, further, now } = input;
  return inOneCommit(db, async (tx) => {
    const { merchantId } = await useUp(tx, 'invitations', tokenHash, now);
    if (await tx.member.findUnique({ where: { email: member.email } })) throw new LinkRefused('member');
    for (const account of further) await insertAccountIn(tx, account);
    await insertMember(tx, { ...member, merchantId }, now);
    return { merchantId };
  });
}

/** Which accounts a merchant has. */
export async function findModes(db: pg.Pool, merchantId: string): Promise<('live' | 'test')[]> {
  const { rows } = await db.query<{ mode: 'live' | 'test' }>(
    'SELECT mode::text AS mode FROM accounts WHERE merchant_id = $1',
    [merchantId],
  );
  return rows.map(({ mode }) => mode);
}

async function inOneCommit<T>(db: Database, work: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  try {
    return await db.prisma.$transaction(work);
  } catch (error) {
    // Two links of one address at once: the other one was first.
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002')
      throw new LinkRefused('member');
    throw error;
  }
}

/** Of two clicks at once, one gets it: the row is gone for the other. */
async function useUp(
  tx: Prisma.TransactionClient,
  table: 'sign_ups' | 'invitations',
  tokenHash: Buffer,
  now: Date,
): Promise<{ merchantId: string }> {
  const token = new Uint8Array(tokenHash);
  const used =
    table === 'sign_ups'
      ? await tx.$queryRaw<{ merchantId: string }[]>`
          DELETE FROM sign_ups WHERE token_hash = ${token} AND expires_at > ${now} RETURNING '' AS "merchantId"`
      : await tx.$queryRaw<{ merchantId: string }[]>`
          DELETE FROM invitations WHERE token_hash = ${token} AND expires_at > ${now}
          RETURNING merchant_id::text AS "merchantId"`;
  if (!used[0]) throw new LinkRefused('link');
  return used[0];
}

async function insertMember(
  tx: Prisma.TransactionClient,
  { passwordHash, ...member }: NewMember & { merchantId: string },
  now: Date,
): Promise<void> {
  const stamps = { createdAt: now, updatedAt: now };
  const { id } = member;
  await tx.member.create({ data: { ...member, emailVerified: true, ...stamps } });
  const login = { memberId: id, accountId: id, providerId: 'credential', password: passwordHash };
  await tx.login.create({ data: { id, ...login, ...stamps } });
}
