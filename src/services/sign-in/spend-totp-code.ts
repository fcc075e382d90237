import { createOTP } from '@better-auth/utils/otp';
import { claimTotpStep } from '#db/members/members.ts';
import { isEqualBytes } from '#domain/encryption/is-equal-bytes.ts';
import type { Deps } from '../deps.ts';
import { openBetterAuth } from '../members/better-auth-secrets.ts';

/** RFC 6238: six digits, 30 seconds a step, as authenticator apps expect. */
const PERIOD_SECONDS = 30;
/** A phone's clock may be one step off (section 5.2). */
const STEPS_OFF = 1;

/**
 * Uses a code up: true when it belongs to the secret (as better-auth stores it, encrypted) and
 * neither it nor a later one was used before.
 */
export async function spendTotpCode(
  deps: Deps,
  of: { memberId: string; sealedSecret: string },
  code: string,
  stepsOff: number = STEPS_OFF,
): Promise<boolean> {
  const secret = await openBetterAuth(deps.secretBox, of.sealedSecret);
  const step = await totpStep(secret, code, deps.clock(), stepsOff);
  return step !== null && claimTotpStep(deps.db, of.memberId, step);
}

/** The time step that a code belongs to; null when it is none of now, give or take `stepsOff`. */
async function totpStep(secret: string, code: string, now: Date, stepsOff: number): Promise<bigint | null> {
  const current = Math.floor(now.getTime() / 1000 / PERIOD_SECONDS);
  const otp = createOTP(secret);
  const typed = Buffer.from(code);
  let found: bigint | null = null;
  for (let step = current - stepsOff; step <= current + stepsOff; step++) {
    if (isEqualBytes(Buffer.from(await otp.hotp(step)), typed)) found = BigInt(step);
  }
  return found;
}
