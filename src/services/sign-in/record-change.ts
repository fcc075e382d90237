import { hasSecondFactor } from '#db/members/members.ts';
import { listMerchantsOf } from '#db/members/memberships.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { notifyOwnChange } from '../members/notify-change.ts';
import type { AuthRequest } from './auth-request.ts';

/** Changes that may leave a member without a second factor. */
const TAKES_AWAY: ReadonlySet<string> = new Set(['two_factor.disabled', 'passkey.removed']);

/**
 * Records in the audit that a member changed how they sign in, and notifies the members of all
 * their merchants.
 */
export async function recordChange(
  deps: Deps,
  { member, origin }: Pick<AuthRequest, 'member' | 'origin'>,
  action: string,
  what: Parameters<typeof notifyOwnChange>[2],
): Promise<void> {
  if (!member) return;
  // The last passkey is a second factor as much as an authenticator is.
  const takesAway = member.hasSecondFactor && TAKES_AWAY.has(action);
  const isLast = takesAway && !(await hasSecondFactor(deps.db, member.memberId));
  const merchants = await listMerchantsOf(deps.db, member.memberId);
  const everywhere = merchants.map(({ id }) => ({ member: { ...member, merchantId: id }, origin }));
  for (const who of everywhere) await recordAudit(deps, who, action);
  for (const who of everywhere) await notifyOwnChange(deps, who, isLast ? 'second_factor_off' : what);
}
