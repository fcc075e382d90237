import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { ComposedMail } from '#db/mail/composed-mail.ts';
import { findMail, insertMail, noteMailFailed, noteMailSent } from '#db/mail/mails.ts';
import { isMember } from '#db/members/memberships.ts';
import type { Task } from '#db/tasks/tasks.ts';
import { maskEmail } from '#domain/encryption/masked.ts';
import { NOT_A_MEMBER } from '#domain/members/not-a-member.ts';
import type { Language } from '#domain/values/language.ts';
import { inertText } from '#domain/values/typed-name.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';
import { keepClaim } from '../tasks/keep-claim.ts';
import { type MailParams, type MailTemplate, mailText } from './mail-texts.ts';

type Mail<T extends MailTemplate> = {
  to: string;
  language: Language;
  template: T;
  params: MailParams<T>;
  /** It is for this member of this merchant: who was removed before it is sent does not get it. */
  member?: { memberId: string; merchantId: string };
};

type MailDeps = Pick<Deps, 'db' | 'clock' | 'secretBox' | 'wakeWorkers'>;

/**
 * The pauses after which a message is tried again: a mail server is back within hours, or the
 * address is wrong.
 */
const RETRY_AFTER_MS = [10_000, 60_000, 10 * 60_000, 3_600_000, 6 * 3_600_000];

const contextOf = (id: string) => sealContext('mails.sealed', { id });

/**
 * Has a message sent by a worker, so that the request does not wait for a mail server and its
 * duration does not reveal whether an address is known.
 */
export async function sendMail<T extends MailTemplate>(deps: MailDeps, mail: Mail<T>): Promise<void> {
  await insertMail(deps.db, { ...composeMail(deps, mail), now: ownTime(deps) });
  deps.wakeWorkers();
}

/**
 * A message as it is kept until it is sent, for callers that write it in their own database
 * transaction.
 */
export function composeMail<T extends MailTemplate>(
  deps: Pick<Deps, 'clock' | 'secretBox'>,
  mail: Mail<T>,
): ComposedMail {
  const { to, member } = mail;
  const message = { to, ...mailText(mail.template, inert(mail.params), mail.language), ...(member && { member }) };
  const id = uuidv7(ownTime(deps));
  const sealed = deps.secretBox.seal(JSON.stringify(message), contextOf(id));
  return { id, sealed, template: mail.template, recipient: maskEmail(to) };
}

/** Params whose typed texts are one line that no mail program turns into a link. */
const inert = <F extends object>(params: F): F =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && !AS_THEY_ARE.has(name) ? inertText(value) : value,
    ]),
  ) as F;

/**
 * Params that are not typed names: our own links, lines and words, parsed addresses and hosts, and
 * what the operator wrote.
 */
const AS_THEY_ARE = new Set(['url', 'what', 'host', 'person', 'reason', 'ipAddress', 'file', 'lines']);

/**
 * Gives a message to the mailer. Returns when to try again, or null when it was sent or given up.
 * After the last attempt the message is given up and logged, and an operator can have it sent again
 * for some weeks.
 */
export async function runMail(deps: Deps, task: Task): Promise<Date | null> {
  const { subjectId: id } = task;
  const mail = await findMail(deps.db, id);
  if (!mail) return null;
  const now = ownTime(deps);
  try {
    const { member, ...message } = JSON.parse(deps.secretBox.open(mail.sealed, contextOf(id)));
    if (member && !(await isMember(deps.db, member))) {
      await noteMailFailed(deps.db, id, { error: NOT_A_MEMBER, givenUpAt: now });
      return null;
    }
    // Each step with a mail server has its time-out, and together they may exceed a lease.
    await keepClaim(deps, task, () => deps.mailer.send(message, now));
  } catch (error) {
    const pause = RETRY_AFTER_MS[task.attempts - 1];
    // Not the error itself: mail servers repeat the address they reject.
    const reason = String((error as { code?: unknown }).code ?? 'unknown');
    deps.log.warn({ mail: id, reason, again: pause !== undefined }, 'A message could not be sent.');
    await noteMailFailed(deps.db, id, { error: reason, givenUpAt: pause === undefined ? now : null });
    return pause === undefined ? null : new Date(now.getTime() + pause);
  }
  await noteMailSent(deps.db, id, now);
  return null;
}
