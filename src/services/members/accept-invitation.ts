import { findAddress } from '#db/members/links.ts';
import { findModes, joinByInvitation } from '#db/members/sign-up.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import { PLAIN_ACCOUNT, prepareAccountOf } from '../accounts/open-account.ts';
import type { Origin } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import { findByToken } from './invite-member.ts';
import { newMemberEntry, rejectLink } from './new-member.ts';
import { hashNewPassword } from './new-password.ts';
import { preparePeopleNotices } from './notify-people-change.ts';

/**
 * Makes the invited person a member of the merchant, with the password that they choose. One who
 * signs in already (`isNew` false) chooses none and keeps their own. Errors (DomainError):
 * link_over, weak_password, too_many_attempts, already_member.
 */
export async function acceptInvitation(
  deps: Deps,
  input: { token: string; origin: Origin; person: { name: string; password: string } | null },
): Promise<{ email: string; isNew: boolean }> {
  const { token, origin, person } = input;
  const { row, email, tokenHash } = await findByToken(deps, token);
  const now = ownTime(deps);
  const known = await findAddress(deps.db, email);
  const member =
    known.kind === 'member'
      ? { memberId: known.id }
      : {
          id: uuidv7(now),
          name: person?.name ?? '',
          email,
          passwordHash: await hashNewPassword(person?.password ?? '', {
            email,
            names: [person?.name ?? '', row.merchantName],
          }),
        };
  const modes = await findModes(deps.db, row.merchantId);
  const further = (['live', 'test'] as const)
    .filter((mode) => !modes.includes(mode))
    .map((mode) => prepareAccountOf(deps, { existingId: row.merchantId }, { ...PLAIN_ACCOUNT, mode }).row);
  const notices = await preparePeopleNotices(deps, row.merchantId, 'joined', email);
  const audit = { ...newMemberEntry(deps, origin, 'member.joined'), notices };
  await joinByInvitation(deps.db, { tokenHash, member, further, now, audit }).catch(rejectLink);
  deps.wakeWorkers();
  return { email, isNew: known.kind !== 'member' };
}
