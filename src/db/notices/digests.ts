import { DIGEST_KINDS } from '#domain/notices/notice-kinds.ts';
import type { Database } from '../connection/database.ts';
import type { ComposedMail } from '../mail/composed-mail.ts';
import { insertMailIn } from '../mail/mails.ts';

/** Whom a digest is for, and what is in it, oldest first; `params` is sealed. */
export type DigestContents = {
  member: { name: string; email: string; language: string | null };
  notices: { id: string; kind: string; params: string }[];
};

/**
 * Writes the digest of a member's day: what can wait, came up to `until`, was in no digest before
 * and is not read yet, at most `limit` of it. `compose` makes the e-mail; there is none where
 * nothing is left to say. Nothing happens when the day has its digest already.
 */
export const writeDigest = (
  db: Database,
  { memberId, day, until, now, limit }: { memberId: string; day: string; until: Date; now: Date; limit: number },
  compose: (contents: DigestContents) => ComposedMail,
): Promise<void> =>
  db.prisma.$transaction(async (tx) => {
    const before = await tx.noticeDigest.findFirst({ where: { memberId }, orderBy: { day: 'desc' } });
    const member = await tx.member.findUnique({
      where: { id: memberId },
      select: { name: true, email: true, language: true },
    });
    if (!member) return;
    // Of two calls at once the second waits here for the first, and finds the day taken.
    const { count } = await tx.noticeDigest.createMany({
      data: [{ memberId, day: new Date(`${day}T00:00:00Z`), until }],
      skipDuplicates: true,
    });
    if (count === 0) return;
    const notices = await tx.notice.findMany({
      where: {
        memberId,
        kind: { in: [...DIGEST_KINDS] },
        readAt: null,
        createdAt: { lte: until, ...(before && { gt: before.until }) },
      },
      select: { id: true, kind: true, params: true },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: limit,
    });
    if (notices.length > 0) await insertMailIn(tx, { ...compose({ member, notices }), now });
  });

/** Whether a member has an unread notice from after an instant that a digest would report. */
export async function hasDigestNotices(db: Database, memberId: string, after: Date): Promise<boolean> {
  const where = { memberId, kind: { in: [...DIGEST_KINDS] }, readAt: null, createdAt: { gt: after } };
  return (await db.prisma.notice.findFirst({ where, select: { id: true } })) !== null;
}

/** Deletes at most `limit` digests of days that ended before `before`; returns how many. */
export async function deleteOldDigests(db: Database, before: Date, limit: number): Promise<number> {
  const { count } = await db.prisma.noticeDigest.deleteMany({ where: { until: { lt: before } }, limit });
  return count;
}
