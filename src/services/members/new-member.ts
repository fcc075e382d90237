import { insertAudit } from '#db/audit/audit.ts';
import { LinkRejected } from '#db/members/sign-up.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { PanelErrorCode } from '#domain/errors/error-catalogue.ts';
import type { Origin } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

const REJECTIONS = {
  link: 'link_over',
  member: 'already_member',
  merchant: 'merchant_exists',
} as const satisfies Record<LinkRejected['why'], PanelErrorCode>;

/** What the page says of a link that opened nothing. */
export function rejectLink(error: unknown): never {
  throw error instanceof LinkRejected ? new DomainError(REJECTIONS[error.why]) : error;
}

/** Notes in the audit that a member has come. */
export async function noteNewMember(
  deps: Pick<Deps, 'db' | 'clock'>,
  who: { merchantId: string; memberId: string; origin: Origin },
  action: 'member.signed_up' | 'member.joined',
): Promise<void> {
  const { merchantId, memberId, origin } = who;
  const at = deps.clock();
  await insertAudit(deps.db, { merchantId, memberId, accountId: null, action, details: {}, ...origin, at });
}
