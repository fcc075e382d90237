import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import type { Deps } from '#services/deps.ts';
import { registerWebhooks } from './register-webhooks.ts';

const HOUR_MS = 3_600_000;
const secretBox = createSecretBox(generateMasterKeys());

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The PSPs by name, with what each answers now; `asked` counts its calls. */
function psps(answers: Record<string, 'done' | 'rejected'>, isDatabaseAway = () => false) {
  const asked: Record<string, number> = {};
  const pixRails = async () => {
    if (isDatabaseAway()) throw new Error('the database is away');
    return Object.keys(answers).map((name) => ({
      name,
      async registerWebhook() {
        asked[name] = (asked[name] ?? 0) + 1;
        return { outcome: answers[name], reason: 'HTTP 401' };
      },
    }));
  };
  const deps = { rails: { pixRails }, secretBox, log: { warn: () => {} } };
  const registration = registerWebhooks(deps as unknown as Deps, () => 'https://pay.example.com');
  return { asked, registration };
}

test('a PSP that rejects our callback address is asked less and less often, also when accounts change', async () => {
  const answers: Record<string, 'done' | 'rejected'> = { own: 'rejected', psp: 'done' };
  const { asked, registration } = psps(answers);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(asked).toEqual({ own: 1, psp: 1 });
  for (let minutes = 0; minutes < 60; minutes++) {
    await vi.advanceTimersByTimeAsync(HOUR_MS / 60);
    registration.again();
  }
  expect(asked.own).toBeGreaterThan(10);
  expect(asked.own).toBeLessThan(25);
  answers.own = 'done';
  answers.later = 'done';
  registration.again();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.later).toBe(1);
  const before = asked.own ?? 0;
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(asked).toEqual({ own: before + 1, psp: 1, later: 1 });
  registration.stop();
});

test('a clock that is set back does not keep a PSP from being asked again', async () => {
  const answers: Record<string, 'done' | 'rejected'> = { psp: 'rejected' };
  const { asked, registration } = psps(answers);
  await vi.advanceTimersByTimeAsync(0);
  vi.setSystemTime(Date.now() - HOUR_MS);
  answers.psp = 'done';
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual({ psp: 2 });
  registration.stop();
});

test('our callback address is registered once the database is back that was away at the start', async () => {
  let isAway = true;
  const { asked, registration } = psps({ psp: 'done' }, () => isAway);
  await vi.advanceTimersByTimeAsync(0);
  isAway = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual({ psp: 1 });
  registration.stop();
});
