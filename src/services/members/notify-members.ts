import { findMembersToNotify } from '#db/members/member-preferences.ts';
import type { Notification } from '#domain/members/notifications.ts';
import { chooseLanguage } from '#domain/values/language.ts';
import type { Deps } from '../deps.ts';
import type { MailParams, MailTemplate } from '../mail/mail-texts.ts';
import { sendMail } from '../mail/send-mail.ts';

/** What is needed to have a message sent; the command line has it too. */
export type NotifyDeps = Pick<Deps, 'db' | 'clock' | 'secretBox' | 'wakeWorkers'> & {
  settings: Pick<Deps['settings'], 'publicUrl'>;
};

/**
 * Sends a message to every member of a merchant who wants this kind of notification (null: every
 * member gets it), each in their language.
 */
export async function notifyMembers<T extends MailTemplate>(
  deps: NotifyDeps,
  merchantId: string,
  notification: Notification | null,
  template: T,
  params: Omit<MailParams<T>, 'name' | 'url'> & { path: string },
): Promise<void> {
  const { path, ...rest } = params;
  const url = deps.settings.publicUrl + path;
  for (const { name, email, language } of await findMembersToNotify(deps.db, merchantId, notification)) {
    await sendMail(deps, {
      to: email,
      language: chooseLanguage(language),
      template,
      params: { ...rest, name, url } as unknown as MailParams<T>,
    });
  }
}
