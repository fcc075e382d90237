import type pg from 'pg';
import type { Database } from '../connection/database.ts';

/** Who reads: a member, for one of their merchants, in the mode of one of its accounts. */
export type NoticeReader = { memberId: string; merchantId: string; accountId: string };

const readBy = ({ memberId, merchantId, accountId }: NoticeReader) => ({
  ...{ memberId, merchantId },
  OR: [{ accountId }, { accountId: null }],
});

export type NoticeListing = {
  id: string;
  kind: string;
  subjectId: string | null;
  params: string;
  createdAt: Date;
  readAt: Date | null;
};

/** The newest notices of a reader. */
export const listNotices = (db: Database, reader: NoticeReader, limit: number): Promise<NoticeListing[]> =>
  db.prisma.notice.findMany({
    where: readBy(reader),
    select: { id: true, kind: true, subjectId: true, params: true, createdAt: true, readAt: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });

/** How many notices of a reader are not read, counted up to `most`. */
export const countUnreadNotices = (db: Database, reader: NoticeReader, most: number): Promise<number> =>
  db.prisma.notice.count({ where: { ...readBy(reader), readAt: null }, take: most });

/** Notes that a reader has read one of their notices. */
export async function markNoticeRead(db: Database, reader: NoticeReader, id: string, now: Date): Promise<void> {
  await db.prisma.notice.updateMany({ where: { ...readBy(reader), id, readAt: null }, data: { readAt: now } });
}

/**
 * Notes that a reader has read all their notices up to `until`: they have not seen what came since.
 */
export async function markNoticesRead(db: Database, reader: NoticeReader, until: Date, now: Date): Promise<void> {
  const where = { ...readBy(reader), readAt: null, createdAt: { lte: until } };
  await db.prisma.notice.updateMany({ where, data: { readAt: now } });
}

/** Deletes at most `limit` notices that are older than `before`; returns how many. */
export async function deleteOldNotices(db: Database, before: Date, limit: number): Promise<number> {
  const { count } = await db.prisma.notice.deleteMany({ where: { createdAt: { lt: before } }, limit });
  return count;
}

export type ArrivedNotice = {
  id: string;
  memberId: string;
  merchantId: string;
  accountId: string | null;
  createdAt: Date;
};

/**
 * What these members were notified of for these merchants after `since`: the latest `limit` for
 * each, the oldest first. Reads one short range of the index for each.
 */
export async function findArrivedNotices(
  db: pg.Pool,
  members: readonly { memberId: string; merchantId: string }[],
  since: Date,
  limit: number,
): Promise<ArrivedNotice[]> {
  const { rows } = await db.query<ArrivedNotice>({
    name: 'find-arrived-notices',
    text: `SELECT n.id, n.member_id AS "memberId", n.merchant_id AS "merchantId", n.account_id AS "accountId",
        n.created_at AS "createdAt"
      FROM unnest($1::uuid[], $2::uuid[]) AS watched (member_id, merchant_id)
      CROSS JOIN LATERAL (
        SELECT * FROM notices WHERE member_id = watched.member_id AND merchant_id = watched.merchant_id
          AND created_at > $3 ORDER BY created_at DESC LIMIT $4
      ) AS n ORDER BY n.created_at, n.id`,
    values: [members.map(({ memberId }) => memberId), members.map(({ merchantId }) => merchantId), since, limit],
  });
  return rows;
}
