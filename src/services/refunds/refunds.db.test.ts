import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { balanceOf } from '#testing/balance-of.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { readEventData } from '#testing/read-events.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { pixCallbackUrl } from '../callbacks/callback-url.ts';
import { endDispute, enterDispute } from '../disputes/manage-disputes.ts';
import { planSweeps, runSweep } from '../sweeps/sweep-payments.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { syncRefund } from './run-refund.ts';

/** Refunds (devoluções) and cancellations of PIX charges, over HTTP. */

const START = new Date('2026-11-20T15:00:00Z');
const SILENT_MS = 40_000;
/**
 * Runs on from where a test has set it, so that what the sandbox does a moment later becomes due.
 */
let offset = 0;
const clock = () => new Date(START.getTime() + offset + performance.now() - began);
const began = performance.now();
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock });
});
afterAll(() => trilho.stop());
afterEach(async () => {
  offset = 0;
  await trilho.setSwitch('pix.refund', 'done');
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});

async function merchant() {
  const { apiKey } = await trilho.openAccount();
  const balance = async () => {
    const { available, blocked } = await balanceOf(trilho, apiKey);
    return [available, blocked];
  };
  const details = async (id: string) =>
    (await trilho.get(`/payments/transactions/${id}`, apiKey)).body.data as Record<string, unknown>;
  const charge = async (amount: number): Promise<string> => {
    return transactionIdOf(await trilho.post('/payments/transactions', apiKey, { amount }));
  };
  return {
    apiKey,
    balance,
    details,
    charge,
    paidCharge: (amount: number) => makePaidCharge(trilho, apiKey, { amount }),
    refund: (id: string, body: object = {}, headers = {}) =>
      trilho.post(`/payments/transactions/${id}/refund`, apiKey, body, headers),
    cancel: (id: string) => trilho.post(`/api/payments/transactions/${id}/cancel`, apiKey, {}),
    /** Waits until every refund of the charge has ended; returns the charge. */
    over: (id: string, withinMs?: number) =>
      trilho.until(
        'the refunds are over',
        async () => {
          const found = await details(id);
          return (found.refunds as { status: string }[]).every(({ status }) => status !== 'pending') ? found : null;
        },
        withinMs,
      ),
  };
}

/** Ends a charge's refund in this way at the PSP, without a callback; null: there is none yet. */
async function changeAtPsp(id: string, status: 'DEVOLVIDO' | 'NAO_REALIZADO', centavos: bigint | null = null) {
  const { rowCount } = await trilho.deps.db.pool.query(
    `UPDATE sandbox.refunds SET status = $2, ends_as = $2, amount_centavos = coalesce($3, amount_centavos),
       settled_at = coalesce(settled_at, $4)
     WHERE end_to_end_id = (SELECT end_to_end_id FROM transactions WHERE id = $1)`,
    [id, status, centavos, clock()],
  );
  return rowCount || null;
}

async function sweep() {
  await planSweeps(trilho.deps);
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>("SELECT id FROM sweeps WHERE span = 'recent'");
  for (const { id } of rows) await runSweep(trilho.deps, id);
}

test('a refund in full gives the payer the whole amount back, from the available balance', async () => {
  const shop = await merchant();
  const id = await shop.paidCharge(50);
  const answer = await shop.refund(id);
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      success: true,
      message: 'Devolução solicitada com sucesso',
      data: {
        refund_id: expect.any(String),
        transaction_id: id,
        amount: 50,
        status: 'pending',
        reference: null,
        metadata: null,
        created_at: expect.any(String),
      },
    },
  ]);
  const details = await shop.over(id);
  expect(details).toMatchObject({ status: 'refunded', refunded_amount: 50 });
  expect(await shop.balance()).toEqual([0, 0]);
  expect((details.history as { event: string }[]).at(-1)?.event).toBe('pix_in.refunded');
});

test('partial refunds add up to the amount of the charge and no further', async () => {
  const shop = await merchant();
  const id = await shop.paidCharge(50);
  await shop.paidCharge(50);
  await shop.refund(id, { amount: 20.5 });
  expect(await shop.over(id)).toMatchObject({ status: 'paid', refunded_amount: 20.5 });
  const tooMuch = await shop.refund(id, { amount: 29.51 });
  expect([tooMuch.status, tooMuch.body.error]).toEqual([400, 'Valor acima do disponível para devolução']);
  await shop.refund(id, { amount: 29.5 });
  expect(await shop.over(id)).toMatchObject({ status: 'refunded', refunded_amount: 50 });
  expect((await shop.refund(id)).body.error).toBe('Valor acima do disponível para devolução');
  expect(await shop.balance()).toEqual([50, 0]);
});

test('of two refunds that end at once the event of the second has the sum of both', async () => {
  await trilho.setSwitch('pix.refund', 'silent_done');
  const shop = await merchant();
  const id = await shop.paidCharge(50);
  const refundOf = async (amount: number) => (await shop.refund(id, { amount })).body.data as { refund_id: string };
  const { refund_id: first } = await refundOf(20);
  const { refund_id: second } = await refundOf(30);
  const { pool } = trilho.deps.db;
  const asked = `SELECT FROM sandbox.refunds
    WHERE end_to_end_id = (SELECT end_to_end_id FROM transactions WHERE id = $1)`;
  await trilho.until('the PSP has both', async () => (await pool.query(asked, [id])).rowCount === 2 || null);

  // The first one ends after the charge was read for the event of the second.
  let reads = 0;
  const query = async (...args: Parameters<typeof pool.query>) => {
    const found = await pool.query(...args);
    const isCharge = (args[0] as { name?: string }).name === 'find-charges';
    if (isCharge && ++reads === 2) expect(await syncRefund(trilho.deps, first)).toBe('refund_completed');
    return found;
  };
  const slow = new Proxy(pool, { get: (of, name) => (name === 'query' ? query : Reflect.get(of, name)) });
  const deps = { ...trilho.deps, db: { ...trilho.deps.db, pool: slow } };
  expect(await syncRefund(deps, second)).toBe('refund_completed');
  expect(await shop.details(id)).toMatchObject({ status: 'refunded', refunded_amount: 50 });
  const events = await readEventData(trilho.deps, id);
  expect(events.slice(-2)).toMatchObject([
    { refund_id: first, refund_amount: 20, refunded_amount: 20, status: 'paid' },
    { refund_id: second, refund_amount: 30, refunded_amount: 50, status: 'refunded', previous_status: 'paid' },
  ]);
});

test('a refund that the PSP does not carry out gives the money back to the account', async () => {
  await trilho.setSwitch('pix.refund', 'refused');
  const shop = await merchant();
  const id = await shop.paidCharge(50);
  await shop.refund(id);
  const details = await shop.over(id);
  expect(details).toMatchObject({ status: 'paid', refunded_amount: 0, refunds: [{ status: 'failed' }] });
  expect(await shop.balance()).toEqual([50, 0]);
});

test('a refund that the PSP carries out after it was called failed is taken from the account', async () => {
  await trilho.setSwitch('pix.refund', 'refused');
  const shop = await merchant();
  const id = await shop.paidCharge(50);
  await shop.refund(id);
  await shop.over(id);
  expect(await shop.balance()).toEqual([50, 0]);
  await changeAtPsp(id, 'DEVOLVIDO');
  await sweep();
  expect(await shop.balance()).toEqual([0, 0]);
  expect(await shop.details(id)).toMatchObject({ status: 'refunded', refunded_amount: 50 });
});

test('a callback about a refund that was called failed has it booked as soon as the PSP carried it out', async () => {
  await trilho.setSwitch('pix.refund', 'refused');
  const shop = await merchant();
  const id = await shop.paidCharge(50);
  const { refund_id: refundId } = (await shop.refund(id)).body.data as { refund_id: string };
  const { external_id: endToEndId } = await shop.over(id);
  const { deps, url } = trilho;
  const path = new URL(pixCallbackUrl(url, deps.secretBox, 'sandbox')).pathname;
  const calledBack = async () => {
    const devolucoes = [{ id: uuidToTxid(refundId), valor: '50.00', status: 'DEVOLVIDO' }];
    const pix = [{ endToEndId, txid: uuidToTxid(id), valor: '50.00', horario: clock().toISOString(), devolucoes }];
    expect((await trilho.post(`${path}/pix`, undefined, { pix })).status).toBe(200);
    const waiting = "SELECT FROM tasks WHERE kind = 'process_callback'";
    await trilho.until('the callbacks are processed', async () =>
      (await deps.db.pool.query(waiting)).rowCount === 0 ? true : null,
    );
    return shop.balance();
  };
  expect(await calledBack()).toEqual([50, 0]);
  await changeAtPsp(id, 'DEVOLVIDO');
  expect(await calledBack()).toEqual([0, 0]);
  expect(await calledBack()).toEqual([0, 0]);
  expect(await shop.details(id)).toMatchObject({ status: 'refunded', refunded_amount: 50 });
});

test('a refund that the PSP has with another amount is not taken for ours, and what went back is booked', async () => {
  await trilho.setSwitch('pix.refund', 'silent_done');
  const shop = await merchant();
  const id = await shop.paidCharge(50);
  const { refund_id: refundId } = (await shop.refund(id, { amount: 20 })).body.data as { refund_id: string };
  await trilho.until('the PSP has it', () => changeAtPsp(id, 'DEVOLVIDO', 100n));
  expect(await syncRefund(trilho.deps, refundId)).toBe('unchanged');
  expect(await shop.balance()).toEqual([30, 20]);

  offset = 11 * 60_000;
  await shop.over(id);
  await sweep();
  expect(await shop.balance()).toEqual([49, 0]);
  expect(await shop.details(id)).toMatchObject({
    status: 'paid',
    refunded_amount: 1,
    refunds: [
      { refund_id: refundId, amount: 20, status: 'failed' },
      { amount: 1, status: 'completed' },
    ],
  });
});

test('a refund without an outcome is queried until its outcome is known', async () => {
  await trilho.setSwitch('pix.refund', 'silent_done');
  const shop = await merchant();
  const id = await shop.paidCharge(50);
  await shop.refund(id);
  await trilho.until('the refund is under way', async () => {
    const { rows } = await trilho.deps.db.pool.query(
      'SELECT FROM refunds WHERE transaction_id = $1 AND sent_at IS NOT NULL',
      [id],
    );
    return rows[0] ?? null;
  });
  // Money that may have left stays held until that is known.
  expect(await shop.balance()).toEqual([0, 50]);
  offset = 60_000;
  expect(await shop.over(id, SILENT_MS)).toMatchObject({ status: 'refunded', refunded_amount: 50 });
});

test('money of a refund that fails while its payment is contested is held by the case', async () => {
  await trilho.setSwitch('pix.refund', 'silent_done');
  const shop = await merchant();
  const id = await shop.paidCharge(50);
  const { refund_id: refundId } = (await shop.refund(id, { amount: 20 })).body.data as { refund_id: string };
  await trilho.until('the PSP has it', () => changeAtPsp(id, 'NAO_REALIZADO'));
  const by = byOperator('ana');
  const contested = { chargeId: id, reason: 'fraud' as const, centavos: 4_500n, answerBy: null, by };
  expect(await enterDispute(trilho.deps, contested)).toBe('opened');
  const heldAmount = async () => {
    const { data } = (await trilho.get('/payments/disputes', shop.apiKey)).body;
    return (data as { held_amount: number }[])[0]?.held_amount;
  };
  expect([await shop.balance(), await heldAmount()]).toEqual([[0, 50], 30]);

  expect(await syncRefund(trilho.deps, refundId)).toBe('refund_failed');
  expect([await shop.balance(), await heldAmount()]).toEqual([[5, 45], 45]);
  const { data } = (await trilho.get('/payments/disputes', shop.apiKey)).body;
  const { dispute_id: disputeId } = (data as { dispute_id: string }[])[0] ?? { dispute_id: '' };
  await endDispute(trilho.deps, { id: disputeId, to: 'won', by });
  expect([await shop.balance(), await heldAmount()]).toEqual([[50, 0], 0]);
  expect((await shop.refund(id)).status).toBe(200);
});

describe('a refund is rejected', () => {
  test.each<[string, (shop: Awaited<ReturnType<typeof merchant>>) => Promise<string>, object, string]>([
    ['of a charge that is not paid', (shop) => shop.charge(50), {}, 'Transação não pode ser devolvida'],
    ['of nothing', (shop) => shop.paidCharge(50), { amount: 0 }, 'Valor inválido'],
    [
      'of more than the original',
      (shop) => shop.paidCharge(50),
      { amount: 50.01 },
      'Valor acima do disponível para devolução',
    ],
    [
      'of a transaction that does not exist',
      async () => '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b',
      {},
      'Transação não encontrada',
    ],
    ['of a text that is no id', async () => 'x', {}, 'Transação não encontrada'],
  ])('%s', async (_, of, body, error) => {
    const shop = await merchant();
    const answer = await shop.refund(await of(shop), body);
    expect(answer.body.error).toBe(error);
  });

  test('of another account’s charge, as if it did not exist', async () => {
    const [shop, other] = [await merchant(), await merchant()];
    const answer = await other.refund(await shop.paidCharge(50));
    expect([answer.status, answer.body.error]).toEqual([404, 'Transação não encontrada']);
  });

  test('after 90 days', async () => {
    const shop = await merchant();
    const id = await shop.paidCharge(50);
    offset = 90 * 86_400_000 + 60_000;
    expect((await shop.refund(id)).body.error).toBe('Transação não pode ser devolvida');
    offset = 90 * 86_400_000 - 60_000;
    expect((await shop.refund(id)).status).toBe(200);
    await shop.over(id);
  });

  test('when the balance does not cover it', async () => {
    const shop = await merchant();
    const id = await shop.paidCharge(50);
    await trilho.post('/payments/transfers/pix', shop.apiKey, { amount: 20, pixKey: '52998224725', pixKeyType: 'CPF' });
    expect((await shop.refund(id)).body.error).toBe('Saldo insuficiente');
  });
});

test('20 refunds at once never exceed the amount of the charge', async () => {
  const shop = await merchant();
  const id = await shop.paidCharge(50);
  await shop.paidCharge(500);
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.refund(id, { amount: 10 })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(await shop.over(id)).toMatchObject({ status: 'refunded', refunded_amount: 50 });
});

test('a refund that is requested twice under one Idempotency-Key is made once', async () => {
  const shop = await merchant();
  const id = await shop.paidCharge(50);
  const key = { 'idempotency-key': 'devolucao-1' };
  const [first, second] = [await shop.refund(id, { amount: 10 }, key), await shop.refund(id, { amount: 10 }, key)];
  expect(second.text).toBe(first.text);
  expect(await shop.over(id)).toMatchObject({ refunded_amount: 10 });
});

describe('a cancellation', () => {
  test('ends a pending charge at the PSP as well: it can’t be paid any more', async () => {
    const shop = await merchant();
    const id = await shop.charge(50);
    const answer = await shop.cancel(id);
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, message: 'Cobrança cancelada com sucesso', data: { transaction_id: id, status: 'cancelled' } },
    ]);
    await expect(trilho.pay(id, { force: true })).rejects.toThrow('409');
    expect((await shop.cancel(id)).status).toBe(200);
  });

  test('of a paid charge is rejected, also when the payment is not known yet', async () => {
    const shop = await merchant();
    await trilho.setSwitch('pix.callback', 'never');
    const id = await shop.charge(50);
    await trilho.pay(id);
    expect((await shop.cancel(id)).body.error).toBe('Transação não pode ser cancelada');
    await trilho.setSwitch('pix.callback', 'once');
    expect((await shop.details(id)).status).toBe('paid');
  });

  test('of another account’s charge is rejected as if it did not exist', async () => {
    const [shop, other] = [await merchant(), await merchant()];
    expect((await other.cancel(await shop.charge(50))).status).toBe(404);
  });
});
