import type { Prisma } from '#prisma';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import type { Database } from '../connection/database.ts';
import { insertTask } from '../tasks/tasks.ts';
import type { ComposedMail } from './composed-mail.ts';

/** A message with the instant of its first attempt. */
type NewMail = ComposedMail & { now: Date };

/** Writes a message and the task that sends it at `now`, in one commit. */
export async function insertMail(db: Database, mail: NewMail): Promise<void> {
  await db.prisma.$transaction((tx) => insertMailIn(tx, mail));
}

/** The same, as part of the caller's transaction. */
export async function insertMailIn(tx: Prisma.TransactionClient, { now, ...mail }: NewMail): Promise<void> {
  await tx.mail.create({ data: { ...mail, createdAt: now }, select: { id: true } });
  await insertTask(tx, { kind: 'send_mail', subjectId: mail.id, dueAt: now });
}

/** The content of a message that is to be sent, sealed; null once it was sent or given up. */
export async function findMail(db: Database, id: string): Promise<{ sealed: string } | null> {
  const mail = await db.prisma.mail.findUnique({ where: { id, givenUpAt: null }, select: { sealed: true } });
  return mail?.sealed ? { sealed: mail.sealed } : null;
}

/** Notes that a message was sent: what it said is not kept. */
export async function noteMailSent(db: Database, id: string, now: Date): Promise<void> {
  await db.prisma.mail.updateMany({
    where: { id },
    data: { sealed: null, sentAt: now, attempts: { increment: 1 }, lastError: null },
  });
}

/** Notes an attempt that failed. `givenUpAt`: it was the last one; null: another one follows. */
export async function noteMailFailed(
  db: Database,
  id: string,
  { error, givenUpAt }: { error: string; givenUpAt: Date | null },
): Promise<void> {
  const data = { lastError: error, givenUpAt, attempts: { increment: 1 } };
  await db.prisma.mail.updateMany({ where: { id }, data });
}

export type MailListing = {
  id: string;
  template: string;
  /** Masked. */
  recipient: string;
  attempts: number;
  lastError: string | null;
  createdAt: Date;
  sentAt: Date | null;
  givenUpAt: Date | null;
};

/**
 * Messages, newest first. `notSent`: only those that wait or were given up. `before`: only those
 * older than the message of this id.
 */
export const listMails = (
  db: Database,
  { notSent, before, limit }: { notSent: boolean; before: string | null; limit: number },
): Promise<MailListing[]> =>
  db.prisma.mail.findMany({
    where: { ...(before !== null && { id: { lt: before } }), ...(notSent && { sentAt: null }) },
    omit: { sealed: true },
    orderBy: { id: 'desc' },
    take: limit,
  });

/**
 * Has a message that was given up sent again, with the audit, in one commit. Returns false when it
 * was not given up.
 */
export const requeueMail = (db: Database, id: string, now: Date, audit: AuditEntry): Promise<boolean> =>
  db.prisma.$transaction(async (tx) => {
    const { count } = await tx.mail.updateMany({ where: { id, givenUpAt: { not: null } }, data: { givenUpAt: null } });
    if (count === 0) return false;
    await insertTask(tx, { kind: 'send_mail', subjectId: id, dueAt: now });
    await insertAuditIn(tx, audit);
    return true;
  });

/**
 * Deletes at most `limit` messages that were sent or given up and are older than `before`; returns
 * how many.
 */
export async function deleteOldMails(db: Database, before: Date, limit: number): Promise<number> {
  const { count } = await db.prisma.mail.deleteMany({
    where: { createdAt: { lt: before }, OR: [{ sentAt: { not: null } }, { givenUpAt: { not: null } }] },
    limit,
  });
  return count;
}
