import { expect, test } from 'vitest';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { settleCharge } from './settle-charge.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const ID = '019505e7-6b00-7000-8000-000000000000';
const PAYMENT = { endToEndId: 'E1', txid: uuidToTxid(ID), amountCentavos: 1_000n, paidAt: NOW };

/** A pending charge, whose PSP lists these payments; every statement that changes it fails. */
function setUp(payments: object[], findPayment: object) {
  const written: string[] = [];
  const charge = {
    ...{ id: ID, accountId: ID, status: 'pending', rail: 'pix', endToEndId: null, livemode: true, brCode: null },
    ...{ amountCentavos: 1_000n, feeCentavos: 0n, netCentavos: 1_000n, refundedCentavos: 0n, splitAccountId: null },
    ...{ splitCentavos: 0n, description: null, reference: null, metadata: null, customerName: null },
    ...{ customerDocument: null, customerDocumentType: null, reviewedPayments: [], openReviews: 0 },
    ...{ createdAt: NOW, expiresAt: new Date(NOW.getTime() + 60_000), paidAt: null },
  };
  const query = async ({ name, text }: { name?: string; text: string }) => {
    if (name === 'find-charges') return { rows: [charge] };
    if (name === 'find-known-payments') return { rows: [] };
    written.push(name ?? text);
    throw new Error('the connection broke');
  };
  const rail = {
    name: 'pix',
    findCharge: async () => ({ outcome: 'done', value: { status: 'active', txid: uuidToTxid(ID), payments } }),
    findPayment: async () => findPayment,
  };
  const deps = {
    db: { pool: { query } },
    clock: () => NOW,
    secretBox: createSecretBox(generateMasterKeys()),
    rails: { pixNamed: async () => rail },
    log: { warn: () => {}, error: () => {} },
    observe: () => {},
    wakeWorkers: () => {},
  } as unknown as Deps;
  return { deps, written };
}

test('a payment that a callback named is asked for again when the PSP can’t say anything about it', async () => {
  const { deps, written } = setUp([], { outcome: 'unknown', reason: 'no answer' });
  const settled = settleCharge(deps, ID, { named: { endToEndId: 'E1' } });
  await expect(settled).rejects.toThrow(ProviderUnavailable);
  expect(written).toEqual([]);
});

test('a payment that a callback named for the txid of another charge does not pay this one', async () => {
  const other = { ...PAYMENT, txid: uuidToTxid(ID.replace(/0$/, '1')) };
  const { deps, written } = setUp([], { outcome: 'done', value: other });
  expect(await settleCharge(deps, ID, { named: { endToEndId: 'E1' } })).toBe('unchanged');
  expect(written).toEqual([]);
});

test('a payment that can’t be written, and is booked nowhere, is not passed over', async () => {
  const { deps, written } = setUp([PAYMENT], {});
  await expect(settleCharge(deps, ID)).rejects.toThrow('the connection broke');
  expect(written).toHaveLength(1);
});
