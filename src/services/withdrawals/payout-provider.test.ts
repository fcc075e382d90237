import { expect, test } from 'vitest';
import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import type { CryptoPayout, CryptoPayoutLikeness } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { findPayoutProvider } from './payout-provider.ts';

/** What a processor that does not take our id has of a withdrawal whose response was lost. */

const NOW = new Date('2026-11-23T12:00:00Z');
const UNITS = 100_000_000n;
const WITHDRAWAL = {
  id: '019505e7-6b00-7000-8000-000000000000',
  ...{ type: 'crypto_out', status: 'pending', rail: 'sandbox-crypto', currency: 'USDT_BSC', units: UNITS },
  ...{ wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', memo: null, providerId: null },
  ...{ payoutStep: 'unknown', payoutSentAt: NOW, createdAt: NOW },
} as unknown as WithdrawalRow;

const payout = (providerId: string, units = UNITS, sentMs = 0): CryptoPayout => ({
  ...{ providerId, units, status: 'completed', currency: 'USDT_BSC', wallet: WITHDRAWAL.wallet ?? '', txHash: null },
  createdAt: new Date(NOW.getTime() + sentMs),
});

/**
 * The payout that is found among these of the processor. `taken` are those of other withdrawals;
 * `approval` is how its approval stands, null where it needed none.
 */
async function findAmong(
  payouts: readonly CryptoPayout[],
  { taken = [], approval = null }: { taken?: string[]; approval?: { outcome: string | null } | null } = {},
) {
  const query = async (statement: string | { name?: string }) => {
    if (typeof statement === 'string') return { rows: taken.map((id) => ({ id })) };
    return { rows: statement.name === 'find-approval' && approval ? [approval] : [] };
  };
  const findPayoutsLike = async ({ units }: CryptoPayoutLikeness) => ({
    outcome: 'done',
    value: payouts.filter((one) => units === null || one.units === units),
  });
  const deps = {
    db: { pool: { query } },
    rails: { cryptoNamed: async () => ({ lostAfterMs: 0, findPayoutsLike }) },
  } as unknown as Deps;
  const found = await (await findPayoutProvider(deps, WITHDRAWAL)).find();
  return found.outcome === 'done' ? (found.value?.providerId ?? null) : found.outcome;
}

test('the oldest payout of its quantity is its own, and none that belongs to another withdrawal', async () => {
  const payouts = [payout('third', UNITS, 2_000), payout('first', UNITS, 0), payout('second', UNITS, 1_000)];
  expect(await findAmong(payouts)).toBe('first');
  expect(await findAmong(payouts, { taken: ['first'] })).toBe('second');
  expect(await findAmong(payouts, { taken: ['first', 'second', 'third'] })).toBeNull();
});

test('a payout that has failed is its own only where none of its quantity was carried out or is under way', async () => {
  const failed: CryptoPayout = { ...payout('failed', UNITS, 0), status: 'failed' };
  const done = payout('done', UNITS, 1_000);
  expect(await findAmong([failed, done])).toBe('done');
  expect(await findAmong([failed, { ...done, status: 'processing' }])).toBe('done');
  expect(await findAmong([failed, done], { taken: ['done'] })).toBe('failed');
});

test('a payout of another quantity is its own only while it waits for an approval here', async () => {
  const payouts = [payout('other', UNITS + 1n)];
  expect(await findAmong(payouts)).toBeNull();
  expect(await findAmong(payouts, { approval: { outcome: 'approved' } })).toBeNull();
  expect(await findAmong(payouts, { approval: { outcome: null } })).toBe('other');
});

test('of payouts of other quantities the nearest is its own, a quarter apart at most', async () => {
  const approval = { outcome: null };
  const far = [payout('above', UNITS + UNITS / 4n + 1n), payout('below', UNITS - UNITS / 4n - 1n)];
  expect(await findAmong(far, { approval })).toBeNull();
  const near = [payout('quarter', UNITS + UNITS / 4n), payout('nearer', UNITS - UNITS / 4n + 1n)];
  expect(await findAmong([...far, ...near], { approval })).toBe('nearer');
  expect(await findAmong([...far, ...near], { approval, taken: ['nearer'] })).toBe('quarter');
});
