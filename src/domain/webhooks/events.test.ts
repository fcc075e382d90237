import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventBody, publicEventId, type TransactionFields, transactionView } from './events.ts';

const ID = '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b';
const FACTS: TransactionFields = {
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
const EVENT = {
  eventId: '0193bd4f-0000-7000-8000-000000000001',
  now: new Date('2026-11-20T12:34:57.001Z'),
  livemode: true,
  fields: FACTS,
  previousStatus: 'pending',
};

test('a transaction is shown with exactly the members of the contract', () => {
  expect(transactionView(FACTS)).toEqual({
    transaction_id: ID,
    external_id: 'E99999999202611201234abcdefghijk',
    type: 'pix_in',
    status: 'paid',
    amount: 100.5,
    amount_fees: 1.09,
    created_at: '2026-11-20T12:00:00.000Z',
    paid_at: '2026-11-20T12:34:56.789Z',
  });
  expect(transactionView({ ...FACTS, paidAt: null }).paid_at).toBe(null);
});

test('the bytes of a webhook are these, in this order: a signature is over bytes', () => {
  expect(eventBody(EVENT)).toBe(
    '{"id":"evt_0193bd4f000070008000000000000001","type":"pix_in.paid","timestamp":"2026-11-20T12:34:57.001Z",' +
      `"livemode":true,"data":{"transaction_id":"${ID}","external_id":"E99999999202611201234abcdefghijk",` +
      '"type":"pix_in","status":"paid","amount":100.5,"amount_fees":1.09,"created_at":"2026-11-20T12:00:00.000Z",' +
      '"paid_at":"2026-11-20T12:34:56.789Z","net_amount":99.41,"previous_status":"pending"}}',
  );
});

test('fields that are not for the receiver do not go out with the rest', () => {
  const more = { ...FACTS, accountId: 'secret-account', customerDocument: '52998224725', rail: 'psp' };
  expect(eventBody({ ...EVENT, fields: more })).toBe(eventBody(EVENT));
});

test('an event has one public id, and another event another one', () => {
  expect(publicEventId(EVENT.eventId)).toBe('evt_0193bd4f000070008000000000000001');
  expect(publicEventId(ID)).not.toBe(publicEventId(EVENT.eventId));
});

test('an amount that no JSON number can say is never sent as another one', () => {
  expect(() => eventBody({ ...EVENT, fields: { ...FACTS, amountCentavos: 10n ** 15n } })).toThrow(RangeError);
});

test('in a charge’s event the amount less fee and split is the net amount, to the centavo', () => {
  const centavos = (reais: number) => Math.round(reais * 100);
  const part = fc.bigInt(0n, 100_000_000n);
  fc.assert(
    fc.property(part, part, part, (netCentavos, feeCentavos, splitCentavos) => {
      const split = splitCentavos === 0n ? null : { accountId: ID, centavos: splitCentavos };
      const amountCentavos = netCentavos + feeCentavos + splitCentavos;
      const { data } = JSON.parse(
        eventBody({ ...EVENT, fields: { ...FACTS, amountCentavos, feeCentavos, netCentavos, split } }),
      );
      expect(centavos(data.amount) - centavos(data.amount_fees) - centavos(data.split?.amount ?? 0)).toBe(
        centavos(data.net_amount),
      );
      expect(data.split).toEqual(split && { account_id: ID, amount: Number(splitCentavos) / 100 });
    }),
  );
  expect(JSON.parse(eventBody(EVENT)).data).not.toHaveProperty('split');
});
