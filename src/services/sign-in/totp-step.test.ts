import { expect, test } from 'vitest';
import { totpCode, totpStep } from './totp-step.ts';

const SECRET = '12345678901234567890';
const STEP_MS = 30_000;
const at = (ms: number) => new Date(1_111_111_110_000 + ms);

// ASVS 6.5.5
test('a code is that of RFC 6238, and is accepted in its own 30 seconds and the ones beside them alone', async () => {
  const begin = at(0);
  // Appendix B: 14050471 at 1111111111 s; the last six digits of eight.
  expect(await totpCode(SECRET, at(1_000))).toBe('050471');
  const code = await totpCode(SECRET, begin);
  const accepted = async (ms: number) => (await totpStep(SECRET, code, at(ms))) !== null;
  for (const ms of [-STEP_MS, -1, 0, STEP_MS - 1, STEP_MS, 2 * STEP_MS - 1])
    expect([ms, await accepted(ms)]).toEqual([ms, true]);
  for (const ms of [-STEP_MS - 1, 2 * STEP_MS, 10 * STEP_MS]) expect([ms, await accepted(ms)]).toEqual([ms, false]);
  expect(await totpStep(SECRET, code, begin)).toBe(BigInt(begin.getTime() / STEP_MS));
});

test('a code of another secret, a part of a code and no code are of no step', async () => {
  const code = await totpCode(SECRET, at(0));
  const other = await totpCode('09876543210987654321', at(0));
  for (const typed of [other, code.slice(1), `${code}0`, '']) expect(await totpStep(SECRET, typed, at(0))).toBeNull();
});
