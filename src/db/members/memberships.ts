import type { Role } from '#domain/members/roles.ts';
import type { Prisma } from '#prisma';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import type { Database } from '../connection/database.ts';
import { deleteInvitationsOf, lockInvitations } from './invitations.ts';
import { isOwner } from './is-owner.ts';

export type MemberListing = {
  id: string;
  name: string;
  email: string;
  language: string | null;
  role: Role;
  /** Whether a second factor is set up: an authenticator app or a passkey. */
  hasSecondFactor: boolean;
  createdAt: Date;
};

/** The members of a merchant, in the order in which they came. */
export async function listMembers(db: Database, merchantId: string): Promise<MemberListing[]> {
  const rows = await db.prisma.membership.findMany({
    where: { merchantId },
    orderBy: [{ createdAt: 'asc' }, { memberId: 'asc' }],
    select: {
      role: true,
      createdAt: true,
      member: {
        select: {
          id: true,
          name: true,
          email: true,
          language: true,
          twoFactorEnabled: true,
          _count: { select: { passkeys: true } },
        },
      },
    },
  });
  return rows.map(({ role, createdAt, member: { twoFactorEnabled, _count, ...member } }) => ({
    ...member,
    role,
    hasSecondFactor: twoFactorEnabled || _count.passkeys > 0,
    createdAt,
  }));
}

export type MerchantOfMember = { id: string; name: string; role: Role };

/** The merchants that a member acts for, in the order in which they joined. */
export async function listMerchantsOf(db: Database, memberId: string): Promise<MerchantOfMember[]> {
  const rows = await db.prisma.membership.findMany({
    where: { memberId },
    orderBy: [{ createdAt: 'asc' }, { merchantId: 'asc' }],
    select: { role: true, merchant: { select: { id: true, name: true } } },
  });
  return rows.map(({ role, merchant }) => ({ ...merchant, role }));
}

export const isMember = async (db: Database, of: { memberId: string; merchantId: string }): Promise<boolean> =>
  (await db.prisma.membership.count({ where: of })) === 1;

/**
 * Has a session act for another merchant of its member. Returns false when they do not belong to
 * it.
 */
export async function chooseMerchant(
  db: Database,
  { sessionId, memberId, merchantId }: { sessionId: string; memberId: string; merchantId: string },
): Promise<boolean> {
  const { count } = await db.prisma.session.updateMany({
    where: { id: sessionId, memberId, member: { memberships: { some: { merchantId } } } },
    data: { merchantId },
  });
  return count === 1;
}

/**
 * `last_owner`: no one would be left with every permission. `unknown`: not a member of it, or the
 * one who asks is not its owner any more.
 */
export type MembershipChange = 'done' | 'last_owner' | 'unknown';

type About = { merchantId: string; memberId: string; audit: AuditEntry };

/** Gives a member another role. */
export const setRole = (db: Database, { role, ...about }: About & { role: Role }): Promise<MembershipChange> =>
  changing(db, about, role, async (tx, where) => {
    await tx.membership.update({ where, data: { role } });
  });

/**
 * Ends a membership, and every session of the person, so that pages that are open lose access.
 * Their name stays with what they did.
 */
export const removeMember = (db: Database, about: About): Promise<MembershipChange> =>
  changing(db, about, null, async (tx, where) => {
    await tx.membership.delete({ where });
    await tx.session.deleteMany({ where: { memberId: about.memberId } });
  });

/**
 * A change of a membership and its audit, in one commit. `becomes`: the role after it. The open
 * invitations of an owner who is removed, or gets another role, are withdrawn: one of them may be
 * to an address of their own.
 */
async function changing(
  db: Database,
  { merchantId, memberId, audit }: About,
  becomes: Role | null,
  change: (
    tx: Prisma.TransactionClient,
    where: { memberId_merchantId: { memberId: string; merchantId: string } },
  ) => Promise<void>,
): Promise<MembershipChange> {
  return db.prisma.$transaction(async (tx) => {
    await lockInvitations(tx, merchantId);
    // Of two owners who remove each other at once, one stays: the other is no owner by then. The
    // audit's records, which refer to the merchant, do not wait for this lock.
    await tx.$queryRaw`SELECT id FROM merchants WHERE id = ${merchantId}::uuid FOR NO KEY UPDATE`;
    const { memberId: byId } = audit;
    if (byId !== null && !(await isOwner(tx, { merchantId, memberId: byId }))) return 'unknown';
    const where = { memberId_merchantId: { memberId, merchantId } };
    const before = await tx.membership.findUnique({ where, select: { role: true } });
    if (!before) return 'unknown';
    const isOwnerNoMore = before.role === 'owner' && becomes !== 'owner';
    if (isOwnerNoMore) {
      const others = await tx.membership.count({ where: { merchantId, role: 'owner', memberId: { not: memberId } } });
      if (others === 0) return 'last_owner';
    }
    await change(tx, where);
    const withdrawn = isOwnerNoMore ? await deleteInvitationsOf(tx, { merchantId, memberId, now: audit.at }) : 0;
    const details = {
      ...audit.details,
      role_before: before.role,
      ...(becomes && { role: becomes }),
      ...(withdrawn > 0 && { invitations_withdrawn: withdrawn }),
    };
    await insertAuditIn(tx, { ...audit, details });
    return 'done';
  });
}
