import { createOTP } from '@better-auth/utils/otp';
import { isEqualBytes } from '#domain/encryption/is-equal-bytes.ts';

/** RFC 6238: six digits, 30 seconds a step, as authenticator apps expect. */
const PERIOD_SECONDS = 30;
/** A phone's clock may be one step off (section 5.2). */
const STEPS_OFF = 1;

/**
 * The time step that a code belongs to; null when it is of no step within `stepsOff` of the current
 * one.
 */
export async function totpStep(
  secret: string,
  code: string,
  now: Date,
  stepsOff: number = STEPS_OFF,
): Promise<bigint | null> {
  const current = currentStep(now);
  const otp = createOTP(secret);
  const typed = Buffer.from(code);
  let found: bigint | null = null;
  for (let step = current - stepsOff; step <= current + stepsOff; step++) {
    if (isEqualBytes(Buffer.from(await otp.hotp(step)), typed)) found = BigInt(step);
  }
  return found;
}

/** The current code, as an authenticator app shows it. */
export const totpCode = (secret: string, now: Date): Promise<string> => createOTP(secret).hotp(currentStep(now));

const currentStep = (now: Date) => Math.floor(now.getTime() / 1000 / PERIOD_SECONDS);
