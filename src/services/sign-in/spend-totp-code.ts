import { claimTotpStep } from '#db/members/members.ts';
import type { Deps } from '../deps.ts';
import { openBetterAuth } from '../members/better-auth-secrets.ts';
import { totpStep } from './totp-step.ts';

/**
 * Uses a code up. Returns true when it belongs to the secret (encrypted, as better-auth stores it)
 * and neither it nor a later one was used before. `stepsOff`: how many steps of 30 s it may be off.
 */
export async function spendTotpCode(
  deps: Deps,
  of: { memberId: string; sealedSecret: string },
  code: string,
  stepsOff?: number,
): Promise<boolean> {
  const secret = await openBetterAuth(deps.secretBox, of.sealedSecret);
  const step = await totpStep(secret, code, deps.clock(), stepsOff);
  return step !== null && claimTotpStep(deps.db, of.memberId, step);
}
