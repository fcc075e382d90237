import type { PeopleChange } from '../mail/mail-texts.ts';
import { type NotifyDeps, notifyMembers } from './notify-members.ts';

/** Whatever they have turned off: who gets in, and who may do what, concerns every member. */
export const notifyMembersOfPeople = (
  deps: NotifyDeps,
  merchantId: string,
  what: PeopleChange,
  person: string,
): Promise<void> =>
  notifyMembers(deps, {
    kind: 'people_changed',
    merchantId,
    params: { what, person },
    isFor: ({ email }) => email !== person,
  });
