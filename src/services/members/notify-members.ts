import { findMembersToNotify, type MemberToNotify } from '#db/members/member-preferences.ts';
import { insertNotices, type NoticeToSend } from '#db/notices/insert-notices.ts';
import { nextDigest } from '#domain/notices/digest-time.ts';
import { NOTICE_KINDS, type NoticeKind } from '#domain/notices/notice-kinds.ts';
import { noticePage } from '#domain/notices/notice-page.ts';
import { chooseLanguage } from '#domain/values/language.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';
import { composeMail } from '../mail/send-mail.ts';
import type { NoticeParams } from '../notices/notice-line.ts';
import { sealParams } from '../notices/notice-params.ts';

/** What notifying needs; the command line has it too. */
export type NotifyDeps = Pick<Deps, 'db' | 'clock' | 'secretBox' | 'wakeWorkers'> & {
  settings: Pick<Deps['settings'], 'publicUrl'>;
};

export type Notification<K extends NoticeKind> = {
  kind: K;
  merchantId: string;
  /** Left out where it is about the merchant and its people: it is shown in both modes. */
  accountId?: string;
  /** What it is about; with `occasion`, a member is notified of it once. Left out: each time. */
  subjectId?: string;
  /** Distinguishes several notices about the same subject. */
  occasion?: string;
  params: NoticeParams<K>;
  /** Which of the members who want this kind are notified; left out: all of them. */
  isFor?: (member: MemberToNotify) => boolean;
};

/**
 * Notifies every member of a merchant who wants this kind of notice, each in their language: in the
 * panel, and by an e-mail at once or in the next digest, as the kind says. All of it is one commit.
 */
export async function notifyMembers<K extends NoticeKind>(deps: NotifyDeps, about: Notification<K>): Promise<void> {
  const toSend = (await prepareNotices(deps, about))(about.params);
  if ((await insertNotices(deps.db, toSend, ownTime(deps))) > 0) deps.wakeWorkers();
}

/**
 * Finds whom notifyMembers() would notify, for an act that writes its notices in its own commit:
 * what was done is never without its notices, and no failure of theirs hides its answer. Returns
 * what makes them, once it is known what was done.
 */
export async function prepareNotices<K extends NoticeKind>(
  deps: NotifyDeps,
  about: Omit<Notification<K>, 'params'>,
): Promise<(params: NoticeParams<K>) => NoticeToSend[]> {
  const { kind, merchantId, isFor = () => true } = about;
  const now = ownTime(deps);
  const members = (await findMembersToNotify(deps.db, merchantId, kind)).filter(isFor);
  return (params) => members.map((member) => noticeFor(deps, { ...about, params }, member, now));
}

function noticeFor<K extends NoticeKind>(
  deps: NotifyDeps,
  about: Notification<K>,
  member: MemberToNotify,
  now: Date,
): NoticeToSend {
  const { kind, merchantId, accountId = null, subjectId = null, occasion = '', params } = about;
  const id = uuidv7(now);
  const sealed = sealParams(deps.secretBox, id, params);
  const notice = { id, memberId: member.id, merchantId, accountId, kind, subjectId, occasion, params: sealed };
  if (NOTICE_KINDS[kind].mail === 'digest') return { notice, digestAt: nextDigest(now) };
  const url = deps.settings.publicUrl + addressOf(about);
  const mail = composeMail(deps, {
    to: member.email,
    language: chooseLanguage(member.language),
    template: kind,
    params: { ...params, name: member.name, url } as never,
    member: { memberId: member.id, merchantId },
  });
  return { notice, mail };
}

/** The path of a message's link. One about the login leads to a new sign-in first. */
function addressOf({ kind, subjectId, params }: Notification<NoticeKind>): string {
  const page = `/live${noticePage(kind, subjectId ?? null, params)}`;
  return NOTICE_KINDS[kind].isSecurity ? `/entrar?next=${encodeURIComponent(page)}` : page;
}
