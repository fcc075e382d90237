import { toBytes } from '../connection/bytes.ts';
import type { Database } from '../connection/database.ts';
import type { ComposedMail } from '../mail/composed-mail.ts';
import { insertMailIn } from '../mail/mails.ts';

/** The tables of one-time links that are mailed: to sign a new business up, or to join one. */
export type LinkTable = 'sign_ups' | 'invitations';

/** Who has an e-mail address: a member, else a merchant, else nobody (`new`). */
export type KnownAddress =
  | { kind: 'member'; id: string; name: string; language: string | null; merchantIds: string[] }
  | { kind: 'merchant'; name: string }
  | { kind: 'new' };

/**
 * Keeps the hash of a link's token together with the message that holds the token, in one commit: a
 * link that was mailed works, and a second try mails no second link. Does nothing where the message
 * was written before, or the link is gone.
 */
export async function insertLinkMail(
  db: Database,
  link: { table: LinkTable; id: string; tokenHash: Buffer; mail: ComposedMail; now: Date },
): Promise<void> {
  const { table, id, mail, now } = link;
  const change = { where: { id, tokenHash: null }, data: { tokenHash: toBytes(link.tokenHash) } };
  await db.prisma.$transaction(async (tx) => {
    const { count } = await (table === 'sign_ups' ? tx.signUp.updateMany(change) : tx.invitation.updateMany(change));
    if (count > 0) await insertMailIn(tx, { ...mail, now });
  });
}

/** Deletes at most `limit` links that expired before `before`; returns how many. */
export async function deleteOldLinks(db: Database, table: LinkTable, before: Date, limit: number): Promise<number> {
  const old = { where: { expiresAt: { lt: before } }, limit };
  const { signUp, invitation } = db.prisma;
  const { count } = await (table === 'sign_ups' ? signUp.deleteMany(old) : invitation.deleteMany(old));
  return count;
}

/** Finds who has an e-mail address. */
export async function findAddress(db: Database, email: string): Promise<KnownAddress> {
  const where = { email };
  const member = await db.prisma.member.findUnique({
    where,
    select: { id: true, name: true, language: true, memberships: { select: { merchantId: true } } },
  });
  if (member) {
    const { memberships, ...person } = member;
    return { kind: 'member', ...person, merchantIds: memberships.map(({ merchantId }) => merchantId) };
  }
  const merchant = await db.prisma.merchant.findUnique({ where, select: { name: true } });
  return merchant ? { kind: 'merchant', ...merchant } : { kind: 'new' };
}
