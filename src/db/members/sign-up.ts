import type { Role } from '#domain/members/roles.ts';
import { Prisma } from '#prisma';
import { insertAccountIn, type NewAccount } from '../accounts/accounts.ts';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import { toBytes } from '../connection/bytes.ts';
import type { Database } from '../connection/database.ts';
import { insertTask } from '../tasks/tasks.ts';
import { lockInvitations } from './invitations.ts';

export type SignUpRow = { id: string; sealed: string };

/** A person who becomes a member: the address is proved, the password is hashed. */
export type NewMember = { id: string; name: string; email: string; passwordHash: string };

/** The audit entry of a new member; the ids are added when it is written. */
export type NewMemberEntry = Omit<AuditEntry, 'merchantId' | 'memberId'>;

/**
 * Why no member was created: the link is used or expired, or the address belongs to a member or a
 * merchant meanwhile.
 */
export class LinkRejected extends Error {
  readonly why: 'link' | 'member' | 'merchant';

  constructor(why: LinkRejected['why']) {
    super(why);
    this.why = why;
  }
}

/** Keeps what was typed, with the task that writes the message. */
export async function insertSignUp(db: Database, row: SignUpRow & { expiresAt: Date; now: Date }): Promise<void> {
  const { id, sealed, expiresAt, now } = row;
  await db.prisma.$transaction(async (tx) => {
    await tx.signUp.create({ data: { id, sealed, expiresAt, createdAt: now }, select: { id: true } });
    await insertTask(tx, { kind: 'sign_up', subjectId: id, dueAt: now });
  });
}

const SIGN_UP = { id: true, sealed: true } as const;

/** What was typed, sealed; null once it was used, dropped, or deleted after its expiry. */
export const findSignUp = (db: Database, id: string): Promise<SignUpRow | null> =>
  db.prisma.signUp.findUnique({ where: { id }, select: SIGN_UP });

/** The same by the token of its link; null also once it has expired. */
export const findSignUpByToken = (db: Database, tokenHash: Buffer, now: Date): Promise<SignUpRow | null> =>
  db.prisma.signUp.findUnique({
    where: usable(tokenHash, now),
    select: SIGN_UP,
  });

export async function deleteSignUp(db: Database, id: string): Promise<void> {
  await db.prisma.signUp.deleteMany({ where: { id } });
}

/**
 * Uses up a sign-up link: creates the business with its accounts, its member and their password, in
 * one commit. Throws LinkRejected.
 */
export async function openSignedUp(
  db: Database,
  input: { tokenHash: Buffer; accounts: NewAccount[]; member: NewMember; now: Date; audit: NewMemberEntry },
): Promise<void> {
  const { tokenHash, accounts, member, now, audit } = input;
  return inOneCommit(db, async (tx) => {
    // Of two clicks at once, one gets it: the row is gone for the other.
    const { count } = await tx.signUp.deleteMany({ where: usable(tokenHash, now) });
    if (count === 0) throw new LinkRejected('link');
    if (await tx.member.findUnique({ where: { email: member.email } })) throw new LinkRejected('member');
    // Owning a merchant's address does not prove that the person runs the business: that takes an
    // invitation.
    if (await tx.merchant.findUnique({ where: { email: member.email } })) throw new LinkRejected('merchant');
    let merchantId = '';
    for (const account of accounts) merchantId = (await insertAccountIn(tx, account)).merchantId;
    await insertMember(tx, member, now);
    const joined = { memberId: member.id, merchantId, role: 'owner', createdAt: now } as const;
    await tx.membership.create({ data: joined, select: { role: true } });
    await insertAuditIn(tx, { ...audit, merchantId, memberId: member.id });
  });
}

/**
 * Uses up an invitation: creates its member with the password that was chosen, or adds one who
 * exists already (`memberId`). `further`: the accounts that the merchant does not have yet, because
 * the panel shows both modes. Throws LinkRejected.
 */
export async function joinByInvitation(
  db: Database,
  input: {
    tokenHash: Buffer;
    member: NewMember | { memberId: string };
    further: NewAccount[];
    now: Date;
    audit: NewMemberEntry;
  },
): Promise<{ merchantId: string; memberId: string; role: Role }> {
  const { tokenHash, member, further, now, audit } = input;
  return inOneCommit(db, async (tx) => {
    const where = usable(tokenHash, now);
    const invitation = await tx.invitation.findUnique({ where, select: { merchantId: true, role: true } });
    if (invitation) await lockInvitations(tx, invitation.merchantId);
    const { count } = await tx.invitation.deleteMany({ where });
    if (!invitation || count === 0) throw new LinkRejected('link');
    const { merchantId, role } = invitation;
    const memberId = 'memberId' in member ? member.memberId : member.id;
    if ('email' in member) {
      if (await tx.member.findUnique({ where: { email: member.email } })) throw new LinkRejected('member');
      await insertMember(tx, member, now);
    }
    // Two people may join at once: the accounts are opened by the first of them.
    await tx.$queryRaw`SELECT id FROM merchants WHERE id = ${merchantId}::uuid FOR NO KEY UPDATE`;
    const there = await tx.account.findMany({ where: { merchantId }, select: { mode: true } });
    const missing = further.filter(({ account }) => !there.some(({ mode }) => mode === account.mode));
    for (const account of missing) await insertAccountIn(tx, account);
    await tx.membership.create({ data: { memberId, merchantId, role, createdAt: now }, select: { role: true } });
    await insertAuditIn(tx, { ...audit, merchantId, memberId });
    return { merchantId, memberId, role };
  });
}

/** The modes in which a merchant has an account. */
export async function findModes(db: Database, merchantId: string): Promise<('live' | 'test')[]> {
  const accounts = await db.prisma.account.findMany({ where: { merchantId }, select: { mode: true } });
  return accounts.map(({ mode }) => mode);
}

async function inOneCommit<T>(db: Database, work: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  try {
    return await db.prisma.$transaction(work);
  } catch (error) {
    // Two links of one address at once: the other one was first.
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002')
      throw new LinkRejected('member');
    throw error;
  }
}

const usable = (tokenHash: Buffer, now: Date) => ({ tokenHash: toBytes(tokenHash), expiresAt: { gt: now } });

async function insertMember(
  tx: Prisma.TransactionClient,
  { passwordHash, ...member }: NewMember,
  now: Date,
): Promise<void> {
  const stamps = { createdAt: now, updatedAt: now };
  const { id } = member;
  await tx.member.create({ data: { ...member, emailVerified: true, ...stamps } });
  const login = { memberId: id, accountId: id, providerId: 'credential', password: passwordHash };
  await tx.login.create({ data: { id, ...login, ...stamps } });
}
