import { listMails as findMails, type MailListing } from '#db/mail/mails.ts';
import type { Deps } from '../deps.ts';

export type { MailListing };

/** The log of messages, newest first, page by page; `next` is null on the last page. */
export async function listMails(
  { db }: Pick<Deps, 'db'>,
  { limit, ...filter }: { notSent: boolean; before: string | null; limit: number },
): Promise<{ mails: MailListing[]; next: string | null }> {
  const found = await findMails(db, { ...filter, limit: limit + 1 });
  const mails = found.slice(0, limit);
  return { mails, next: found.length > limit ? (mails.at(-1)?.id ?? null) : null };
}

export const mailState = ({ sentAt, givenUpAt }: Pick<MailListing, 'sentAt' | 'givenUpAt'>) =>
  sentAt ? ('sent' as const) : givenUpAt ? ('given_up' as const) : ('waiting' as const);
