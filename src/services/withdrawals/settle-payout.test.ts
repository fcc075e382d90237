import { expect, test } from 'vitest';
import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
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

test('a payment whose end can’t be written does not fail its withdrawal, unless an account was charged for it', async () => {
  const asked: string[] = [];
  const query = async ({ name, text }: { name?: string; text: string }) => {
    asked.push(name ?? text.slice(0, 40));
    if (name?.startsWith('is-')) return { rowCount: 0, rows: [] };
    throw new Error('the connection broke');
  };
  const now = new Date('2026-11-22T12:00:00Z');
  const deps = {
    db: { pool: { query } },
    clock: () => now,
    secretBox: createSecretBox(generateMasterKeys()),
    log: { warn: () => {} },
  } as unknown as Deps;
  const id = '019505e7-6b00-7000-8000-000000000000';
  const stored = {
    ...{ id, type: 'pix_out', status: 'processing', rail: 'pix', payoutStep: 'sent', failureCode: null, pixKey: null },
    ...{ amountCentavos: 1n, feeCentavos: 0n, netCentavos: 1n, createdAt: now, scheduledFor: null, livemode: true },
    ...{ description: null, reference: null, metadata: null },
  } as unknown as WithdrawalRow;
  const seen = seenPayout('completed', { endToEndId: 'E1' });
  await expect(settlePayout(deps, stored, seen)).rejects.toThrow('the connection broke');
  expect(asked.slice(1)).toEqual(['is-charged-otherwise', 'is-of-another-payout']);
});

test.each(['completed', 'failed'] as const)(
  'a withdrawal in review is left to the operator, also where its provider calls it %s',
  async (status) => {
    const query = async ({ text }: { text: string }) => {
      throw new Error(`It was changed by ${text}`);
    };
    const deps = {
      db: { pool: { query } },
      clock: () => new Date('2026-11-22T12:00:00Z'),
      log: { error: () => {} },
    } as unknown as Deps;
    const stored = { id: '019505e7-6b00-7000-8000-000000000000', type: 'pix_out', status: 'review' } as WithdrawalRow;
    expect(await settlePayout(deps, stored, seenPayout(status, { endToEndId: null }))).toBe('unchanged');
  },
);
