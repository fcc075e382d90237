import { listMembers } from '#db/members/memberships.ts';
import { chooseLanguage } from '#domain/values/language.ts';
import type { Deps } from '../deps.ts';
import type { PeopleChange } from '../mail/mail-texts.ts';
import { sendMail } from '../mail/send-mail.ts';

/** Whatever messages they want: who gets in, and who may do what, concerns every member. */
export async function notifyMembersOfPeople(
  deps: Deps,
  merchantId: string,
  what: PeopleChange,
  person: string,
): Promise<void> {
  const url = `${deps.settings.publicUrl}/entrar?next=${encodeURIComponent('/live/seguranca')}`;
  for (const { name, email: to, language } of await listMembers(deps.db, merchantId)) {
    if (to === person) continue;
    const params = { name, what, person, url };
    await sendMail(deps, { to, language: chooseLanguage(language), template: 'people_changed', params });
  }
}
