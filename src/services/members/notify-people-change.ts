import type { NoticeToSend } from '#db/notices/insert-notices.ts';
import type { PeopleChange } from '../mail/mail-texts.ts';
import { type NotifyDeps, notifyMembers, prepareNotices } from './notify-members.ts';

/**
 * Notifies every member of a merchant but `person` (an e-mail), whatever they have turned off: who
 * is a member, and what they may do, concerns all of them. `subjectId`: of this they are notified
 * once, however often it is called.
 */
export const notifyPeopleChange = (
  deps: NotifyDeps,
  merchantId: string,
  what: PeopleChange,
  person: string,
  subjectId?: string,
): Promise<void> =>
  notifyMembers(deps, {
    kind: 'people_changed',
    merchantId,
    ...(subjectId !== undefined && { subjectId }),
    params: { what, person },
    isFor: ({ email }) => email !== person,
  });

/** Prepares the same for a change whose own commit writes the notices. */
export async function preparePeopleNotices(
  deps: NotifyDeps,
  merchantId: string,
  what: PeopleChange,
  person: string,
): Promise<NoticeToSend[]> {
  const isFor = ({ email }: { email: string }) => email !== person;
  const notices = await prepareNotices(deps, { kind: 'people_changed', merchantId, isFor });
  return notices({ what, person });
}
