import { expect, test } from 'vitest';
import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import type { Deps } from '../deps.ts';
import { settlePayout } from './settle-payout.ts';
import { seenPayout } from './testing/seen-payout.ts';

test('a crypto withdrawal that its provider accepts stays pending, without an event', async () => {
  const asked: unknown[][] = [];
  const query = async ({ values }: { values: unknown[] }) => {
    asked.push(values);
    return { rows: [{ status: 'pending' }] };
  };
  const now = new Date('2026-11-22T12:00:00Z');
  const deps = { db: { pool: { query } }, clock: () => now, wakeWorkers: () => {} } as unknown as Deps;
  const id = '019505e7-6b00-7000-8000-000000000000';
  const withdrawal = { id, type: 'crypto_out', status: 'pending', payoutStep: 'sending' } as WithdrawalRow;
  await settlePayout(deps, withdrawal, seenPayout('processing', { providerId: 'p1' }));
  expect(asked).toEqual([[id, 'pending', 'pending', 'p1', null, now, null, null, null]]);
});
