import { type DigestContents, hasDigestNotices, writeDigest } from '#db/notices/digests.ts';
import { digestToday, nextDigest } from '#domain/notices/digest-time.ts';
import type { NoticeKind } from '#domain/notices/notice-kinds.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { chooseLanguage, type Language } from '#domain/values/language.ts';
import { inertText } from '#domain/values/typed-name.ts';
import type { Deps } from '../deps.ts';
import { composeMail } from '../mail/send-mail.ts';
import { noticeLine } from './notice-line.ts';
import { openParams } from './notice-params.ts';

/**
 * A notice is committed within this time after its instant. Newer ones are left to the next digest,
 * so that none is missed.
 */
const COMMITTED_AFTER_MS = 20_000;
/** The panel has them all. */
const LINES_MAX = 50;

/**
 * Sends a member the digest of the day, when it is time and the day had none; gives when the next
 * one is due, or null where nothing waits for it. The task is written with what waits.
 */
export async function sendDigest(deps: Deps, memberId: string): Promise<Date | null> {
  const now = deps.clock();
  if (now < digestToday(now)) return digestToday(now);
  const until = new Date(now.getTime() - COMMITTED_AFTER_MS);
  await writeDigest(
    deps.db,
    { memberId, day: dateInSaoPaulo(now), until, now, limit: LINES_MAX },
    ({ member, notices }) => {
      const language = chooseLanguage(member.language);
      const lines = notices.map((notice) => lineOf(deps, notice, language)).join('\n');
      const params = { name: member.name, lines, url: `${deps.settings.publicUrl}/live/inicio` };
      return composeMail(deps, { to: member.email, language, template: 'digest', params });
    },
  );
  deps.wakeWorkers();
  return (await hasDigestNotices(deps.db, memberId, until)) ? nextDigest(now) : null;
}

function lineOf(
  { secretBox }: Pick<Deps, 'secretBox'>,
  notice: DigestContents['notices'][number],
  language: Language,
): string {
  const { text, about } = noticeLine(notice.kind as NoticeKind, openParams(secretBox, notice) as never, language);
  return inertText(about === null ? `– ${text}` : `– ${text} ${about}`);
}
