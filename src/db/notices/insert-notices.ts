import type pg from 'pg';
import type { NoticeKind } from '#domain/notices/notice-kinds.ts';
import { Prisma } from '#prisma';
import type { Database } from '../connection/database.ts';
import type { ComposedMail } from '../mail/composed-mail.ts';

/** What a member is notified of; `params` is sealed. */
export type NewNotice = {
  id: string;
  memberId: string;
  merchantId: string;
  /** Null: it is about the merchant and its people. */
  accountId: string | null;
  kind: NoticeKind;
  subjectId: string | null;
  /** Tells notices of the same kind and subject apart; empty: there is only one. */
  occasion: string;
  params: string;
};

/** A notice with its e-mail, or with the time at which the digest that reports it is due. */
export type NoticeToSend = { notice: NewNotice; mail: ComposedMail } | { notice: NewNotice; digestAt: Date };

/**
 * Each notice is written with its e-mail or the task of its digest. Leaves out what a member was
 * notified of before (same kind, subject and occasion), and people who have been removed: their row
 * is locked, so that who is found stays a member until the commit. A digest's task that is running
 * at this moment is put off to its next time, so that it runs again: it may have read before.
 */
const insertion = (toSend: readonly NoticeToSend[], now: Date): Prisma.Sql => Prisma.sql`WITH given AS (
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(toSend.map(toRow))}::jsonb) AS n (id uuid, member_id uuid, merchant_id uuid, account_id uuid, kind text,
      subject_id uuid, occasion text, params text, mail_id uuid, sealed text, template text, recipient text, digest_at timestamptz)
  ), wanted AS (
    SELECT given.* FROM given JOIN memberships m ON m.member_id = given.member_id AND m.merchant_id = given.merchant_id
    ORDER BY given.member_id FOR KEY SHARE OF m
  ), written AS (
    INSERT INTO notices (id, member_id, merchant_id, account_id, kind, subject_id, occasion, params, created_at)
    SELECT id, member_id, merchant_id, account_id, kind, subject_id, occasion, params, ${now}::timestamptz
    FROM wanted ORDER BY member_id ON CONFLICT DO NOTHING RETURNING id
  ), mailed AS (
    INSERT INTO mails (id, sealed, template, recipient, created_at)
    SELECT mail_id, sealed, template, recipient, ${now}::timestamptz FROM wanted JOIN written USING (id) WHERE mail_id IS NOT NULL
    RETURNING id
  ), mail_tasks AS (
    INSERT INTO tasks (kind, subject_id, due_at) SELECT 'send_mail', id, ${now}::timestamptz FROM mailed
  ), digest_tasks AS (
    INSERT INTO tasks (kind, subject_id, due_at)
    SELECT 'notice_digest', member_id, max(digest_at) FROM wanted JOIN written USING (id) WHERE digest_at IS NOT NULL
    GROUP BY member_id ORDER BY member_id
    ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = excluded.due_at
      WHERE tasks.attempts > 0 AND tasks.due_at < excluded.due_at
  )
  SELECT id FROM written`;

const toRow = ({ notice, ...goesOut }: NoticeToSend) => ({
  id: notice.id,
  member_id: notice.memberId,
  merchant_id: notice.merchantId,
  account_id: notice.accountId,
  kind: notice.kind,
  subject_id: notice.subjectId,
  occasion: notice.occasion,
  params: notice.params,
  ...('mail' in goesOut
    ? {
        mail_id: goesOut.mail.id,
        sealed: goesOut.mail.sealed,
        template: goesOut.mail.template,
        recipient: goesOut.mail.recipient,
      }
    : { digest_at: goesOut.digestAt }),
});

/** Writes notices in a commit of their own. Returns how many were written. */
export const insertNotices = (db: Database, toSend: readonly NoticeToSend[], now: Date): Promise<number> =>
  insertNoticesOn(db.pool, toSend, now);

/** The same in the transaction of the act that they are about. */
export async function insertNoticesIn(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  toSend: readonly NoticeToSend[],
  now: Date,
): Promise<void> {
  if (toSend.length > 0) await tx.$queryRaw(insertion(toSend, now));
}

/** The same on a connection whose transaction is the act’s, for what is written in SQL. */
export async function insertNoticesOn(
  db: pg.Pool | pg.PoolClient,
  toSend: readonly NoticeToSend[],
  now: Date,
): Promise<number> {
  if (toSend.length === 0) return 0;
  const sql = insertion(toSend, now);
  return (await db.query<{ id: string }>({ text: sql.text, values: sql.values })).rows.length;
}
