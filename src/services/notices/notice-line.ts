import type { NoticeKind } from '#domain/notices/notice-kinds.ts';
import type { Language } from '#domain/values/language.ts';
import { MAIL_TEXTS, type MailParams, mailText, type PeopleChange, type SecurityChange } from '../mail/mail-texts.ts';

/** What a notice names, besides whom it is for and where it leads. */
export type NoticeParams<K extends NoticeKind> = Omit<MailParams<K>, 'name' | 'url'>;

/** A notice on one line: what happened, and to what; null where the text says it all. */
export type NoticeLine = { text: string; about: string | null };

/**
 * A notice in a reader's language. The text is the subject of its e-mail, except for the kinds
 * whose e-mails share one subject.
 */
export function noticeLine<K extends NoticeKind>(kind: K, params: NoticeParams<K>, language: Language): NoticeLine {
  const texts = MAIL_TEXTS[language];
  const values = params as { what?: string; about?: string; person?: string; ipAddress?: string; host?: string };
  const about = values.about ?? values.person ?? values.ipAddress ?? values.host ?? null;
  if (kind === 'security_changed') return { text: texts.changes[values.what as SecurityChange], about };
  if (kind === 'people_changed') return { text: texts.people[values.what as PeopleChange], about };
  const { subject } = mailText<NoticeKind>(kind, { ...params, name: '', url: '' } as never, language);
  return { text: subject, about };
}
