import { expect, test } from 'vitest';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { runRefund } from './run-refund.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const MINUTE_MS = 60_000;
const ID = '019505e7-6b00-7000-8000-000000000000';

/** A refund that the PSP rejects, first asked for so long ago; null: this is the first time. */
function setUp(askedMs: number | null, claim: 'started' | 'blocked' = 'started') {
  const sentAt = askedMs === null ? null : new Date(NOW - askedMs);
  const refund = { id: ID, transactionId: ID, centavos: 1n, kind: 'requested', description: null, reference: null };
  const charge = {
    ...{ id: ID, accountId: ID, status: 'paid', rail: 'pix', endToEndId: 'E1', livemode: true, brCode: null },
    ...{ amountCentavos: 1n, feeCentavos: 0n, netCentavos: 1n, refundedCentavos: 0n, splitAccountId: null },
    ...{ splitCentavos: 0n, description: null, reference: null, metadata: null, customerName: null },
    ...{ customerDocument: null, customerDocumentType: null, reviewedPayments: [], openReviews: 0 },
    ...{ createdAt: new Date(NOW), expiresAt: new Date(NOW), paidAt: new Date(NOW) },
  };
  const ended: unknown[] = [];
  const sent: string[] = [];
  const query = async (asked: string | { name: string; values: unknown[] }) => {
    if (typeof asked === 'string')
      return { rows: [{ ...refund, metadata: null, status: 'pending', sentAt, returnId: null, createdAt: sentAt }] };
    const { name, values } = asked;
    if (name === 'find-charges') return { rows: [charge] };
    if (name === 'refund-start') return { rows: [{ claim }] };
    ended.push(name === 'refund-fail-blocked' ? name : values[1]);
    return { rows: [{ finished: true, failed: true }] };
  };
  const refundPayment = async ({ refundId }: { refundId: string }) => {
    sent.push(refundId);
    return { outcome: 'rejected', reason: 'no' };
  };
  const rail = { name: 'pix', refundPayment };
  const deps = {
    db: { pool: { query } },
    clock: () => new Date(NOW),
    secretBox: createSecretBox(generateMasterKeys()),
    rails: { pixNamed: async () => rail },
    log: { warn: () => {} },
    observe: () => {},
    wakeWorkers: () => {},
  } as unknown as Deps;
  return { deps, ended, sent };
}

test('a rejection does not end a refund while an earlier request for it may still be carried out', async () => {
  const { deps, ended } = setUp(10 * MINUTE_MS - 1);
  await expect(runRefund(deps, ID)).rejects.toThrow(ProviderUnavailable);
  expect(ended).toEqual([]);
});

test.each([null, 10 * MINUTE_MS])(
  'a rejection ends a refund that was first asked for just now, or long ago (%s ms)',
  async (askedMs) => {
    const { deps, ended } = setUp(askedMs);
    expect(await runRefund(deps, ID)).toBe(null);
    expect(ended).toEqual([false]);
  },
);

test('a refund that may not leave its account any more fails, and the PSP is not asked for it', async () => {
  const { deps, ended, sent } = setUp(null, 'blocked');
  expect(await runRefund(deps, ID)).toBe(null);
  expect([ended, sent]).toEqual([['refund-fail-blocked'], []]);
});
