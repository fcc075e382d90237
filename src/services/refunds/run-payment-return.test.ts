import { expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { runPaymentReturn } from './run-payment-return.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const MINUTE_MS = 60_000;
const ID = '019505e7-6b00-7000-8000-000000000000';

/** A return that the PSP rejects, first asked for so long ago; null: this is the first time. */
function setUp(askedMs: number | null) {
  const ended: boolean[] = [];
  const noted: unknown[] = [];
  const query = async ({ name, values }: { name: string; values: unknown[] }) => {
    if (name === 'find-payment-return') {
      const sentAt = askedMs === null ? null : new Date(NOW - askedMs);
      return { rows: [{ id: ID, rail: 'pix', endToEndId: 'E1', centavos: 1n, status: 'pending', sentAt }] };
    }
    if (name === 'note-payment-return') noted.push(values[1]);
    if (name === 'payment-return-finish') ended.push(values[1] as boolean);
    return { rows: [{ finished: true }] };
  };
  const rail = { name: 'pix', refundPayment: async () => ({ outcome: 'rejected', reason: 'no' }) };
  const deps = {
    db: { pool: { query } },
    clock: () => new Date(NOW),
    rails: { pixNamed: async () => rail },
    log: { error: () => {} },
    observe: () => {},
    wakeWorkers: () => {},
  } as unknown as Deps;
  return { deps, ended, noted };
}

test('a rejection does not end the return of a payment while an earlier request for it may still be carried out', async () => {
  const { deps, ended } = setUp(10 * MINUTE_MS - 1);
  await expect(runPaymentReturn(deps, ID)).rejects.toThrow(ProviderUnavailable);
  expect(ended).toEqual([]);
});

test.each([null, 10 * MINUTE_MS])(
  'a rejection ends the return of a payment that was first asked for just now, or long ago (%s ms)',
  async (askedMs) => {
    const { deps, ended, noted } = setUp(askedMs);
    expect(await runPaymentReturn(deps, ID)).toBe(null);
    expect(ended).toEqual([false]);
    expect(noted).toEqual(askedMs === null ? [new Date(NOW)] : []);
  },
);
