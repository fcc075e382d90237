import type { Role } from '#domain/members/roles.ts';
import type { Prisma } from '#prisma';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import { toBytes } from '../connection/bytes.ts';
import type { Database } from '../connection/database.ts';
import { insertTask } from '../tasks/tasks.ts';
import { isOwner } from './is-owner.ts';

export type InvitationRow = {
  id: string;
  merchantId: string;
  merchantName: string;
  /** The role that the member gets. */
  role: Role;
  sealed: string;
  /** Null: the operator. */
  invitedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
};

const INVITATION = {
  id: true,
  merchantId: true,
  merchant: { select: { name: true } },
  role: true,
  sealed: true,
  invitedBy: true,
  createdAt: true,
  expiresAt: true,
} as const;

/**
 * Lets one transaction at a time make or use an invitation of a merchant. Taken before the lock of
 * an invitation or of the merchant.
 */
export async function lockInvitations(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  merchantId: string,
): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`invitations ${merchantId}`}, 0))::text`;
}

/**
 * `already_member`: who is invited has joined meanwhile. `full`: there are as many as may be.
 * `unknown`: who invites is no owner any more.
 */
export type InsertedInvitation = 'inserted' | 'already_member' | 'full' | 'unknown';

/**
 * Writes an invitation of an address, the task that mails its link and the audit, in one commit, in
 * place of the open ones that `isReplaced` says. Writes nothing when the merchant has `openMax`
 * others.
 */
export async function insertInvitation(
  db: Database,
  row: Omit<InvitationRow, 'merchantName'> & {
    email: string;
    isReplaced: (earlier: InvitationRow) => boolean;
    openMax: number;
    audit: AuditEntry;
  },
): Promise<InsertedInvitation> {
  const { email, isReplaced, openMax, audit, ...data } = row;
  const { id, merchantId, invitedBy, createdAt } = data;
  return db.prisma.$transaction(async (tx) => {
    // Each counts and replaces those before it, and none is left open for who is accepting one.
    await lockInvitations(tx, merchantId);
    if (invitedBy !== null && !(await isOwner(tx, { merchantId, memberId: invitedBy }))) return 'unknown';
    if ((await tx.membership.count({ where: { merchantId, member: { email } } })) > 0) return 'already_member';
    const open = await listInvitations({ prisma: tx }, merchantId, createdAt);
    const replaced = open.filter(isReplaced).map((earlier) => earlier.id);
    if (open.length - replaced.length >= openMax) return 'full';
    await tx.invitation.deleteMany({ where: { merchantId, id: { in: replaced } } });
    await tx.invitation.create({ data, select: { id: true } });
    await insertTask(tx, { kind: 'invite_member', subjectId: id, dueAt: createdAt });
    await insertAuditIn(tx, audit);
    return 'inserted';
  });
}

/** Null once it was accepted, withdrawn, or deleted after its expiry. */
export async function findInvitation(db: Database, id: string): Promise<InvitationRow | null> {
  return toRow(await db.prisma.invitation.findUnique({ where: { id }, select: INVITATION }));
}

/** The same by the token of its link; null also once it has expired. */
export async function findInvitationByToken(db: Database, tokenHash: Buffer, now: Date): Promise<InvitationRow | null> {
  const where = { tokenHash: toBytes(tokenHash), expiresAt: { gt: now } };
  return toRow(await db.prisma.invitation.findUnique({ where, select: INVITATION }));
}

/** The open invitations of a merchant, oldest first. */
export async function listInvitations(
  db: { prisma: Pick<Prisma.TransactionClient, 'invitation'> },
  merchantId: string,
  now: Date,
): Promise<InvitationRow[]> {
  const rows = await db.prisma.invitation.findMany({
    where: { merchantId, expiresAt: { gt: now } },
    orderBy: { id: 'asc' },
    select: INVITATION,
  });
  return rows.flatMap((row) => toRow(row) ?? []);
}

/**
 * Withdraws an invitation of a merchant, with the audit in one commit: its link opens nothing from
 * now on. Returns false when there is none of this id.
 */
export async function deleteInvitation(
  db: Database,
  { merchantId, id, audit }: { merchantId: string; id: string; audit: AuditEntry },
): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    const { count } = await tx.invitation.deleteMany({ where: { merchantId, id } });
    if (count > 0) await insertAuditIn(tx, audit);
    return count > 0;
  });
}

/**
 * Withdraws the invitations of a merchant that somebody sent and that are open; returns how many.
 */
export async function deleteInvitationsOf(
  tx: Prisma.TransactionClient,
  { merchantId, memberId, now }: { merchantId: string; memberId: string; now: Date },
): Promise<number> {
  const { count } = await tx.invitation.deleteMany({
    where: { merchantId, invitedBy: memberId, expiresAt: { gt: now } },
  });
  return count;
}

/** A merchant by its id, its e-mail or the id of one of its accounts; null when there is none. */
export const findMerchant = (
  db: Database,
  which: { id: string } | { email: string },
): Promise<{ id: string; name: string; email: string } | null> =>
  db.prisma.merchant.findFirst({
    where:
      'id' in which ? { OR: [{ id: which.id }, { accounts: { some: { id: which.id } } }] } : { email: which.email },
    select: { id: true, name: true, email: true },
  });

type Found = Omit<InvitationRow, 'merchantName'> & { merchant: { name: string } };

function toRow(found: Found | null): InvitationRow | null {
  if (!found) return null;
  const { merchant, ...row } = found;
  return { ...row, merchantName: merchant.name };
}
