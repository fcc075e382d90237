import { expect, test } from 'vitest';
import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import type { Deps } from '../deps.ts';
import { firstPoll } from '../next-poll.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { runPayout, syncPayout } from './run-payout.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const LOST_AFTER_MS = 20_000;
const WITHDRAWAL = {
  id: '019505e7-6b00-7000-8000-000000000000',
  type: 'crypto_out',
  status: 'pending',
  rail: 'sandbox-crypto',
  currency: 'USDT_BSC',
  units: 100_000_000n,
  wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  memo: null,
  providerId: null,
  payoutStep: null,
  payoutSentAt: null,
  createdAt: new Date(NOW),
} as unknown as WithdrawalRow;

const BLOCKED = {
  ...WITHDRAWAL,
  ...{ amountCentavos: 1n, feeCentavos: 0n, netCentavos: 1n, livemode: true, paidAt: null, scheduledFor: null },
  ...{ description: null, reference: null, metadata: null, pixKey: null, endToEndId: null, failureCode: null },
};

/** A process that is stopped for this long while it claims the right to send. */
function setUp(stoppedMs: number) {
  let now = NOW;
  const sent: object[] = [];
  const query = async ({ name }: { name?: string }) => {
    if (name === 'find-withdrawal') return { rows: [WITHDRAWAL] };
    if (name !== 'payout-start') return { rows: [] };
    now += stoppedMs;
    return { rows: [{ claim: 'started' }] };
  };
  const rail = {
    lostAfterMs: LOST_AFTER_MS,
    async sendPayout(request: object) {
      sent.push(request);
      return { outcome: 'unknown', reason: 'no answer' };
    },
  };
  const deps = {
    db: { pool: { query } },
    clock: () => new Date(now),
    rails: { cryptoNamed: async () => rail },
    log: { warn: () => {} },
    wakeWorkers: () => {},
  } as unknown as Deps;
  return { deps, sent };
}

test('a process that was stopped for long after its claim sends nothing, because another one may have taken the claim over', async () => {
  const { deps, sent } = setUp(LOST_AFTER_MS / 2);
  expect(await runPayout(deps, WITHDRAWAL.id)).toEqual(new Date(NOW + LOST_AFTER_MS));
  expect(sent).toEqual([]);
});

test('a process that was not stopped for long after its claim sends the payout', async () => {
  const { deps, sent } = setUp(LOST_AFTER_MS / 2 - 1);
  await runPayout(deps, WITHDRAWAL.id);
  expect(sent).toHaveLength(1);
});

test('a payout that the PSP has with another amount does not end its withdrawal, polled or called back about', async () => {
  const asked: string[] = [];
  const withdrawal = { ...WITHDRAWAL, type: 'pix_out', rail: 'pix', amountCentavos: 1_000n, payoutStep: 'unknown' };
  const query = async ({ name }: { name?: string }) => {
    if (name !== 'find-withdrawal') asked.push(String(name));
    return { rows: name === 'find-withdrawal' ? [withdrawal] : [] };
  };
  const value = { status: 'completed', amountCentavos: 999n, failureCode: null, endToEndId: null, receiver: null };
  const payouts = { lostAfterMs: LOST_AFTER_MS, findPayout: async () => ({ outcome: 'done', value }) };
  const deps = {
    db: { pool: { query } },
    clock: () => new Date(NOW),
    rails: { pixNamed: async () => ({ payouts }) },
  } as unknown as Deps;
  await expect(runPayout(deps, WITHDRAWAL.id)).rejects.toThrow(ProviderUnavailable);
  await expect(syncPayout(deps, WITHDRAWAL.id)).rejects.toThrow(ProviderUnavailable);
  expect(asked).toEqual([]);
});

/** A processor whose answer to sending a payout names it, and describes another one. */
function setUpAnotherAnswer(taken: string[]) {
  const written: string[] = [];
  const answers: Record<string, object> = {
    'payout-start': { claim: 'started' },
    payout_processing: { status: 'pending' },
  };
  const query = async (statement: string | { name: string; values: unknown[] }, values?: unknown[]) => {
    if (typeof statement === 'string') {
      if (statement.startsWith('UPDATE')) written.push('unknown');
      return { rows: Array.isArray(values?.[1]) ? taken.map((id) => ({ id })) : [] };
    }
    const { name, values: given } = statement;
    if (name === 'find-withdrawal') return { rows: [WITHDRAWAL] };
    if (name === 'payout_processing') written.push(`${name} ${given[3]}`);
    return { rows: answers[name] ? [answers[name]] : [] };
  };
  const sendPayout = async () => ({ outcome: 'unknown', reason: 'another payout', providerId: 'p1' });
  const deps = {
    db: { pool: { query } },
    clock: () => new Date(NOW),
    rails: { cryptoNamed: async () => ({ name: 'sandbox-crypto', lostAfterMs: LOST_AFTER_MS, sendPayout }) },
    log: { warn: () => {} },
    wakeWorkers: () => {},
  } as unknown as Deps;
  return { deps, written };
}

test('a payout whose answer names it, and describes another one, is asked about by that id, and never counts as lost', async () => {
  const { deps, written } = setUpAnotherAnswer([]);
  await runPayout(deps, WITHDRAWAL.id);
  expect(written).toEqual(['payout_processing p1']);
});

test('a payout whose answer names that of another withdrawal is asked about by what it is', async () => {
  const { deps, written } = setUpAnotherAnswer(['p1']);
  expect(await runPayout(deps, WITHDRAWAL.id)).toEqual(firstPoll(new Date(NOW)));
  expect(written).toEqual(['unknown']);
});

test('a payout that its provider has accepted, and no longer knows, gives no money back', async () => {
  const asked: string[] = [];
  const withdrawal = { ...WITHDRAWAL, providerId: 'p1', payoutStep: 'sent', payoutSentAt: new Date(NOW) };
  const query = async ({ name }: { name?: string }) => {
    if (name !== 'find-withdrawal') asked.push(String(name));
    return { rows: name === 'find-withdrawal' ? [withdrawal] : [] };
  };
  const rail = { lostAfterMs: LOST_AFTER_MS, findPayout: async () => ({ outcome: 'done', value: null }) };
  const deps = {
    db: { pool: { query } },
    clock: () => new Date(NOW + 10 * LOST_AFTER_MS),
    rails: { cryptoNamed: async () => rail },
  } as unknown as Deps;
  await expect(runPayout(deps, WITHDRAWAL.id)).rejects.toThrow(ProviderUnavailable);
  expect(await syncPayout(deps, WITHDRAWAL.id)).toBe('unchanged');
  expect(asked).toEqual([]);
});

test.each([
  ['is given back', 'unknown', 'payout_fail'],
  ['may be sent again', 'sending', 'payout-start'],
] as const)(
  'a payout of which its provider has nothing %s only after the time in which it may still arrive, by a clock that nobody has set meanwhile',
  async (_what, payoutStep, name) => {
    let now = NOW + LOST_AFTER_MS - 1;
    let steadyMs = LOST_AFTER_MS / 4 - 1;
    const asked: string[] = [];
    const withdrawal = { ...BLOCKED, providerId: 'p1', payoutStep, payoutSentAt: new Date(NOW) };
    const query = async ({ name }: { name?: string }) => {
      if (name !== 'find-withdrawal') asked.push(String(name));
      if (name === 'payout-start') return { rows: [{ claim: 'already_started' }] };
      return { rows: name === 'find-withdrawal' ? [withdrawal] : [{ status: 'failed' }] };
    };
    const rail = { lostAfterMs: LOST_AFTER_MS, findPayout: async () => ({ outcome: 'done', value: null }) };
    const deps = {
      db: { pool: { query } },
      clock: () => new Date(now),
      steadyForMs: () => steadyMs,
      secretBox: createSecretBox(generateMasterKeys()),
      rails: { cryptoNamed: async () => rail },
      observe: () => {},
      wakeWorkers: () => {},
    } as unknown as Deps;
    expect(await runPayout(deps, WITHDRAWAL.id)).toEqual(new Date(NOW + LOST_AFTER_MS));
    expect(asked).toEqual([]);
    now += 1;
    expect(await runPayout(deps, WITHDRAWAL.id)).toEqual(new Date(now + LOST_AFTER_MS / 4));
    expect(asked).toEqual([]);
    steadyMs += 1;
    await runPayout(deps, WITHDRAWAL.id);
    expect(asked).toContain(name);
  },
);

test.each([
  ['is given back without having been sent', true, null],
  ['is asked about again where it may be sent after all', false, firstPoll(new Date(NOW))],
])('a withdrawal that may not leave its account any more %s', async (_what, failed, next) => {
  const asked: string[] = [];
  const query = async ({ name }: { name?: string }) => {
    asked.push(String(name));
    if (name === 'find-withdrawal') return { rows: [BLOCKED] };
    if (name === 'payout-start') return { rows: [{ claim: 'blocked' }] };
    return { rows: name === 'payout-fail-blocked' ? [{ failed }] : [] };
  };
  const sendPayout = async () => {
    throw new Error('It was sent.');
  };
  const deps = {
    db: { pool: { query } },
    clock: () => new Date(NOW),
    secretBox: createSecretBox(generateMasterKeys()),
    rails: { cryptoNamed: async () => ({ lostAfterMs: LOST_AFTER_MS, sendPayout }) },
    observe: () => {},
    wakeWorkers: () => {},
  } as unknown as Deps;
  expect(await runPayout(deps, WITHDRAWAL.id)).toEqual(next);
  expect(asked).toContain('payout-fail-blocked');
});
