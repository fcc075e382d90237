import { LinkRejected, type NewMemberEntry } from '#db/members/sign-up.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { PanelErrorCode } from '#domain/errors/error-catalogue.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Origin } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

const REJECTIONS = {
  link: 'link_over',
  member: 'already_member',
  merchant: 'merchant_exists',
} as const satisfies Record<LinkRejected['why'], PanelErrorCode>;

/** Throws the error for a link that opened nothing; any other error as it is. */
export function rejectLink(error: unknown): never {
  throw error instanceof LinkRejected ? new DomainError(REJECTIONS[error.why]) : error;
}

/** The audit entry of a new member, written in the commit that makes them one. */
export const newMemberEntry = (
  deps: Pick<Deps, 'clock'>,
  origin: Origin,
  action: 'member.signed_up' | 'member.joined',
): NewMemberEntry => ({ accountId: null, action, details: {}, ...origin, at: ownTime(deps) });
