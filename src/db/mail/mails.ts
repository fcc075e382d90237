import type { Prisma } from '#prisma';
import type { Database } from '../connection/database.ts';
import { insertTask } from '../tasks/tasks.ts';

/** A message, sealed, and the instant from which on it is to be sent. */
type NewMail = { id: string; sealed: string; now: Date };

/** Notes a message to be sent, and when to try first. */
export async function insertMail(db: Database, mail: NewMail): Promise<void> {
  await db.prisma.$transaction((tx) => insertMailIn(tx, mail));
}

/** The same as a part of a larger commit. */
export async function insertMailIn(tx: Prisma.TransactionClient, { id, sealed, now }: NewMail): Promise<void> {
  await tx.mail.create({ data: { id, sealed, createdAt: now }, select: { id: true } });
  await insertTask(tx, { kind: 'send_mail', subjectId: id, dueAt: now });
}

/** A message that waits; null once it was sent. */
export const findMail = (db: Database, id: string): Promise<{ sealed: string; createdAt: Date } | null> =>
  db.prisma.mail.findUnique({ where: { id }, select: { sealed: true, createdAt: true } });

export async function deleteMail(db: Database, id: string): Promise<void> {
  await db.prisma.mail.deleteMany({ where: { id } });
}
