import { describe, expect, it } from 'vitest';
import { aboutTransaction, type ProviderCall } from './call-trace.ts';
import { COB, DEVOLUCAO, END_TO_END_ID, PIX, REQUEST, TXID } from './pix/testing/examples.ts';
import { setUpRailUnderTest } from './pix/testing/rail-under-test.ts';

const setup = setUpRailUnderTest();
const ID = '7978c0c9-7ea8-47e7-8e88-49634473c1f1';
const OTHER = '0191f3a2-7c41-7d55-8a3b-0123456789c2';

function connected() {
  const seen: ProviderCall[] = [];
  return { seen, rail: setup.connect({ onProviderCall: (exchange) => seen.push(exchange) }) };
}

describe('what is recorded of calls to a PSP', () => {
  it('each call is about the transaction whose txid it names, and a call for a token is about none', async () => {
    const { seen, rail } = connected();
    setup.psp.answers = [{ status: 201, body: COB }];
    await rail.createCharge(REQUEST);
    expect(seen).toMatchObject([
      { transactionId: ID, rail: rail.name, operation: 'createCharge', method: 'PUT', status: 201, response: COB },
    ]);
    expect(seen[0]?.target).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+/psp/api/cob/${TXID}$`));
  });

  it('a query that names none is about the transaction for which it is made', async () => {
    const { seen, rail } = connected();
    setup.psp.answers = [
      { status: 200, body: PIX },
      { status: 201, body: DEVOLUCAO },
    ];
    await aboutTransaction(OTHER, () => rail.findPayment(END_TO_END_ID));
    const refund = { endToEndId: END_TO_END_ID, refundId: '123ABC', amountCentavos: 1000n, description: null };
    await aboutTransaction(OTHER, () => rail.refundPayment(refund));
    expect(seen.map(({ transactionId, operation }) => [transactionId, operation])).toEqual([
      [OTHER, 'findPayment'],
      [OTHER, 'refundPayment'],
    ]);
  });

  it('concurrent queries about several transactions are not mixed up', async () => {
    const { seen, rail } = connected();
    setup.psp.answers = Array.from({ length: 20 }, () => ({ status: 200, body: PIX }));
    const ids = Array.from({ length: 20 }, (_, n) => OTHER.replace(/..$/, String(n + 10)));
    await Promise.all(ids.map((id) => aboutTransaction(id, () => rail.findPayment(END_TO_END_ID))));
    expect(seen.map(({ transactionId }) => transactionId).sort()).toEqual(ids);
  });

  it('every attempt is reported, also one without an answer', async () => {
    const { seen, rail } = connected();
    setup.psp.answers = ['cut', { status: 503 }, { status: 200, body: COB }];
    await rail.findCharge(TXID);
    expect(seen.map(({ status }) => status)).toEqual([null, 503, 200]);
  });

  it('a call about no transaction is not reported', async () => {
    const { seen, rail } = connected();
    await rail.registerWebhook('https://example.com/hook');
    await rail.findPayment(END_TO_END_ID);
    expect(seen).toEqual([]);
  });
});
