import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { transactionStatusOutput } from '#contract/transactions/transaction-status.ts';
import type { ChargeRow } from '#db/charges/charges.ts';
import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import {
  CHARGE_TRANSITIONS,
  CRYPTO_WITHDRAWAL_TRANSITIONS,
  PIX_WITHDRAWAL_TRANSITIONS,
} from '#domain/transactions/transaction-states.ts';
import { type TransactionFields, transactionView } from '#domain/webhooks/events.ts';
import { chargeEvent } from '../charges/charge-event.ts';
import { withdrawalEvent } from '../withdrawals/withdrawal-event.ts';
import { eventBody } from './event-body.ts';
import { openEventBody } from './seal-event-body.ts';

const DEPS = { secretBox: createSecretBox(generateMasterKeys()) };

const ID = '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b';
const FIELDS: TransactionFields = {
  id: ID,
  type: 'pix_in',
  status: 'paid',
  amountCentavos: 10_050n,
  feeCentavos: 109n,
  netCentavos: 9_941n,
  externalId: 'E99999999202611201234abcdefghijk',
  createdAt: new Date('2026-11-20T12:00:00.000Z'),
  paidAt: new Date('2026-11-20T12:34:56.789Z'),
};
const UNNAMED = { reference: null, metadata: null };
const EVENT = {
  eventId: '0193bd4f-0000-7000-8000-000000000001',
  now: new Date('2026-11-20T12:34:57.001Z'),
  livemode: true,
  fields: FIELDS,
  previousStatus: 'pending',
  details: {
    split: null,
    txid: ID.replaceAll('-', ''),
    end_to_end_id: 'E99999999202611201234abcdefghijk',
    description: 'Pedido 1042',
    reference: 'pedido-1042',
    metadata: { loja: 'Centro' },
    payer: { name: 'Maria d. S.', document: '***.982.247-**', document_type: 'cpf' as const },
  },
};

test('a transaction is shown with exactly the members of the contract', () => {
  const shown = (fields: TransactionFields) =>
    z.encode(transactionStatusOutput, { success: true, data: { ...transactionView(fields), ...UNNAMED } }).data;
  expect(shown(FIELDS)).toEqual({
    transaction_id: ID,
    external_id: 'E99999999202611201234abcdefghijk',
    type: 'pix_in',
    status: 'paid',
    amount: 100.5,
    amount_fees: 1.09,
    created_at: '2026-11-20T12:00:00.000Z',
    paid_at: '2026-11-20T12:34:56.789Z',
    ...UNNAMED,
  });
  expect(shown({ ...FIELDS, paidAt: null }).paid_at).toBe(null);
});

test('the body of a webhook has its members in a fixed order, since the signature is over its bytes', () => {
  expect(eventBody('PixInEvent', EVENT)).toBe(
    '{"id":"evt_0193bd4f000070008000000000000001","type":"pix_in.paid","timestamp":"2026-11-20T12:34:57.001Z",' +
      `"livemode":true,"data":{"transaction_id":"${ID}","external_id":"E99999999202611201234abcdefghijk",` +
      '"type":"pix_in","status":"paid","amount":100.5,"amount_fees":1.09,"created_at":"2026-11-20T12:00:00.000Z",' +
      '"paid_at":"2026-11-20T12:34:56.789Z","net_amount":99.41,"previous_status":"pending","split":null,' +
      '"txid":"0193bd4e6b8c7d1e9a2f1c3d5e7f9a0b","end_to_end_id":"E99999999202611201234abcdefghijk",' +
      '"description":"Pedido 1042","reference":"pedido-1042","metadata":{"loja":"Centro"},"payer":{"name":"Maria d. S.","document":"***.982.247-**","document_type":"cpf"}}}',
  );
});

test('fields that are not for the receiver do not go out with the rest', () => {
  const more = { ...FIELDS, accountId: 'secret-account', customerDocument: '52998224725', rail: 'psp' };
  expect(eventBody('PixInEvent', { ...EVENT, fields: more })).toBe(eventBody('PixInEvent', EVENT));
});

test('an amount that no JSON number represents exactly is rejected, and not rounded', () => {
  const fields = { ...FIELDS, amountCentavos: 10n ** 15n };
  expect(() => eventBody('PixInEvent', { ...EVENT, fields })).toThrow(RangeError);
});

test('in a charge’s event the amount less fee and split is the net amount, to the centavo', () => {
  const centavos = (reais: number) => Math.round(reais * 100);
  const part = fc.bigInt(0n, 100_000_000n);
  fc.assert(
    fc.property(part, part, part, (netCentavos, feeCentavos, splitCentavos) => {
      const split = splitCentavos === 0n ? null : { account_id: ID, amount: splitCentavos };
      const amountCentavos = netCentavos + feeCentavos + splitCentavos;
      const fields = { ...FIELDS, amountCentavos, feeCentavos, netCentavos };
      const { data } = JSON.parse(eventBody('PixInEvent', { ...EVENT, fields, details: { ...EVENT.details, split } }));
      expect(centavos(data.amount) - centavos(data.amount_fees) - centavos(data.split?.amount ?? 0)).toBe(
        centavos(data.net_amount),
      );
      expect(data.split).toEqual(split && { account_id: ID, amount: Number(splitCentavos) / 100 });
    }),
  );
});

test('an event that is not of its shape is never written', () => {
  const fields = { ...FIELDS, status: 'refunded' };
  expect(() => eventBody('PixInEvent', { ...EVENT, fields })).toThrow('pix_in.paid');
});

/** The legal changes of a type; a charge becomes `refunded` by the event of its refund. */
const changes = <S extends string>(transitions: Record<S, readonly S[]>) =>
  (Object.keys(transitions) as S[]).flatMap((from) =>
    transitions[from].filter((to) => to !== 'refunded').map((to) => ({ from, to })),
  );

test.each([
  ...changes(PIX_WITHDRAWAL_TRANSITIONS).map((change) => ({ type: 'pix_out' as const, ...change })),
  ...changes(CRYPTO_WITHDRAWAL_TRANSITIONS).map((change) => ({ type: 'crypto_out' as const, ...change })),
])('a $type withdrawal’s change from $from to $to has an event, without which it could not be written', (change) => {
  const crypto = {
    description: null,
    ...UNNAMED,
    currency: 'USDT_BSC',
    units: 1n,
    wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  };
  const row = { ...FIELDS, ...crypto, type: change.type, status: change.from, endToEndId: null, providerId: 'p1' };
  const event = withdrawalEvent(DEPS, { ...row, livemode: true } as unknown as WithdrawalRow, {
    status: change.to,
    now: EVENT.now,
  });
  expect(JSON.parse(openEventBody(DEPS, event.eventId, event.eventBody)).type).toBe(`${change.type}.${change.to}`);
});

const CHARGE = {
  ...{ splitAccountId: null, splitCentavos: 0n, livemode: true },
  ...{ description: null, ...UNNAMED, customerName: null, customerDocument: null, customerDocumentType: null },
};

test.each(changes(CHARGE_TRANSITIONS))(
  'a charge’s change from $from to $to has an event, without which it could not be written',
  ({ from, to }) => {
    const row = { ...FIELDS, status: from, endToEndId: null, ...CHARGE };
    const payment = { amountCentavos: 1n, endToEndId: 'E1', paidAt: EVENT.now };
    const review = to === 'review' ? { review: { reason: 'amount_differs' as const, payment } } : {};
    const event = chargeEvent(DEPS, row as unknown as ChargeRow, { status: to, now: EVENT.now, ...review } as never);
    expect(JSON.parse(openEventBody(DEPS, event.eventId, event.eventBody)).type).toBe(`pix_in.${to}`);
  },
);
