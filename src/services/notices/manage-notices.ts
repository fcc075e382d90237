import {
  countUnreadNotices,
  listNotices,
  markNoticeRead,
  markNoticesRead,
  type NoticeReader,
} from '#db/notices/notices.ts';
import { NOTICE_KINDS, type NoticeKind } from '#domain/notices/notice-kinds.ts';
import { noticePage } from '#domain/notices/notice-page.ts';
import type { Language } from '#domain/values/language.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';
import { type NoticeLine, noticeLine } from './notice-line.ts';
import { openParams } from './notice-params.ts';

/** As many as somebody reads in a list that floats over the page. */
const SHOWN_MAX = 20;
/** Beyond it the number says nothing more. */
const UNREAD_MAX = 100;

export type ShownNotice = NoticeLine & {
  id: string;
  isSecurity: boolean;
  /** A path of the panel, without the mode. */
  page: string;
  createdAt: Date;
  isRead: boolean;
};

/** The newest notices of a member in a language, newest first. */
export async function getNotices(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  reader: NoticeReader,
  language: Language,
): Promise<ShownNotice[]> {
  const rows = await listNotices(deps.db, reader, SHOWN_MAX);
  // A later version may have written a kind that this one does not know.
  return rows
    .filter(({ kind }) => kind in NOTICE_KINDS)
    .map((row) => {
      const kind = row.kind as NoticeKind;
      const params = openParams(deps.secretBox, row);
      return {
        id: row.id,
        ...noticeLine(kind, params as never, language),
        isSecurity: NOTICE_KINDS[kind].isSecurity,
        page: noticePage(kind, row.subjectId, params),
        createdAt: row.createdAt,
        isRead: row.readAt !== null,
      };
    });
}

/** How many notices of a member are not read; 100: so many or more. */
export const countUnread = ({ db }: Pick<Deps, 'db'>, reader: NoticeReader): Promise<number> =>
  countUnreadNotices(db, reader, UNREAD_MAX);

/** Notes that a member has read one of their notices. */
export const readNotice = (
  deps: Pick<Deps, 'db' | 'clock' | 'testClock'>,
  reader: NoticeReader,
  id: string,
): Promise<void> => markNoticeRead(deps.db, reader, id, ownTime(deps));

/** Notes that a member has read all of their notices that were written up to `until`. */
export const readNotices = (
  deps: Pick<Deps, 'db' | 'clock' | 'testClock'>,
  reader: NoticeReader,
  until: Date,
): Promise<void> => markNoticesRead(deps.db, reader, until, ownTime(deps));
