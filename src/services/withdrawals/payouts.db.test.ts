import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '#db/connection/with-client.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { awaitApprovalOfAll } from '#db/testing/await-approval-of-all.ts';
import { fund, NOW, newEndToEndId, openTestAccount, unitsOf } from '#db/testing/ledger-fixture.ts';
import { newCryptoOut, withdrawalChanges } from '#db/testing/ledger-withdrawals.ts';
import { markPayoutUnknown, markUnsentPayoutsUnknown } from '#db/withdrawals/payouts.ts';
import { findWithdrawal } from '#db/withdrawals/withdrawals.ts';
import { SETTLED_STATUS } from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { CryptoPayout, CryptoPayoutRequest } from '#rails/ports.ts';
import { balanceOf } from '#testing/balance-of.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { readEventData } from '#testing/read-events.ts';
import { type Answer, startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { listAllReviews, resolveReview } from '../reviews/resolve-review.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { runPayout } from './run-payout.ts';
import { settlePayout } from './settle-payout.ts';
import { seenPayout } from './testing/seen-payout.ts';

/**
 * Withdrawals from the request to their end, over HTTP, with every outcome of the sandbox's
 * providers.
 */

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
/** A call to a provider that does not answer takes its whole time-out. */
const SILENT_MS = 40_000;

/** After this a payout that the provider does not know counts as never received. */
const LOST_AFTER_MS = 60_000;

let aheadMs = 0;
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(Date.now() + aheadMs) });
});
afterAll(() => trilho.stop());
afterEach(async () => {
  for (const name of ['pix.payout', 'crypto.payout']) await trilho.setSwitch(name, 'done');
  for (const name of ['pix.callback', 'crypto.callback']) await trilho.setSwitch(name, 'once');
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});

const KINDS = {
  pix: {
    path: '/payments/transfers/pix',
    body: { amount: 60, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' },
    executed: 'SELECT count(*) AS n FROM sandbox.payouts',
  },
  crypto: {
    path: '/payments/transfers/crypto',
    body: { amount: 60, wallet: WALLET },
    executed: 'SELECT count(*) AS n FROM sandbox.crypto_payouts',
  },
} as const;

async function withdraw(kind: 'pix' | 'crypto', more: object = {}, whenFunded: () => Promise<void> = async () => {}) {
  const { apiKey, accountId } = await trilho.openAccount({
    currency: 'USDT_BSC',
    fees: [{ type: 'pix_out', fee: { bps: 0, fixedCentavos: 100n } }],
  });
  await makePaidCharge(trilho, apiKey, { amount: 100 });
  const balance = () => balanceOf(trilho, apiKey);
  await whenFunded();
  const executed = await count(KINDS[kind].executed);
  const answer = await trilho.post(KINDS[kind].path, apiKey, { ...KINDS[kind].body, ...more });
  expect([answer.status, answer.body.data]).toEqual([200, expect.objectContaining({ status: 'pending' })]);
  const id = transactionIdOf(answer);
  const details = async () =>
    (await trilho.get(`/payments/transactions/${id}`, apiKey)).body.data as Record<string, unknown>;
  return {
    id,
    accountId,
    balance,
    details,
    executions: async () => (await count(KINDS[kind].executed)) - executed,
    becomes: (status: string, withinMs?: number) =>
      trilho.until(
        `the withdrawal is ${status}`,
        async () => {
          const found = await details();
          return found.status === status ? found : null;
        },
        withinMs,
      ),
  };
}
async function count(sql: string): Promise<number> {
  const { rows } = await trilho.deps.db.pool.query<{ n: bigint }>(sql);
  return Number(rows[0]?.n);
}
const spent = { pix: { available: 39, blocked: 0 }, crypto: { available: 40, blocked: 0 } };
const untouched = { available: 100, blocked: 0 };

describe.each(['pix', 'crypto'] as const)('a %s payout', (kind) => {
  const set = (value: string) => trilho.setSwitch(`${kind}.payout`, value);
  const settled = SETTLED_STATUS[`${kind}_out`];

  test('that is done is taken from the balance, with its fee', async () => {
    const withdrawal = await withdraw(kind);
    const details = await withdrawal.becomes(settled);
    expect(details).toMatchObject({ paid_at: expect.any(String), failure: null });
    expect(await withdrawal.balance()).toEqual(spent[kind]);
    expect(await withdrawal.executions()).toBe(1);
  });

  test('whose callback never comes is settled by polling', async () => {
    const withdrawal = await withdraw(kind, {}, () => trilho.setSwitch(`${kind}.callback`, 'never'));
    await withdrawal.becomes(settled);
    expect(await withdrawal.balance()).toEqual(spent[kind]);
  });

  test('that is rejected gives the money back, with a reason in Portuguese', async () => {
    await set('refused');
    const withdrawal = await withdraw(kind);
    const details = await withdrawal.becomes('failed');
    expect(details.failure).toMatchObject({
      code: expect.any(String),
      message: expect.stringMatching(/^[A-ZÀ-Ú].*\.$/),
    });
    expect(await withdrawal.balance()).toEqual(untouched);
  });

  test('that is done without a response is queried, and not sent again', async () => {
    await set('silent_done');
    const withdrawal = await withdraw(kind);
    await withdrawal.becomes(settled, SILENT_MS);
    expect(await withdrawal.balance()).toEqual(spent[kind]);
    expect(await withdrawal.executions()).toBe(1);
  });

  test('that is never done and gets no response gives the money back, and is not sent again', async () => {
    await set('silent_lost');
    const withdrawal = await withdraw(kind);
    await trilho.until('the provider was asked', async () => {
      const row = await findWithdrawal(trilho.deps.db.pool, withdrawal.id);
      return row?.payoutStep === 'unknown' ? row : null;
    });
    expect(await withdrawal.balance()).toEqual({
      available: 100 - (kind === 'pix' ? 61 : 60),
      blocked: kind === 'pix' ? 61 : 60,
    });
    // If it were sent again, it would be done now.
    await set('done');
    aheadMs += LOST_AFTER_MS;
    const details = await withdrawal.becomes('failed', SILENT_MS);
    expect(details.failure).toMatchObject({ code: 'provider_lost' });
    expect(await withdrawal.balance()).toEqual(untouched);
    expect(await withdrawal.executions()).toBe(0);
  });

  test.each([
    ['failed', 'completed'],
    ['completed', 'failed'],
  ] as const)(
    'that is %s, and that its provider then reports as %s, moves no money and waits for an operator',
    async (end, said) => {
      if (end === 'failed') await set('refused');
      const withdrawal = await withdraw(kind);
      await withdrawal.becomes(end === 'completed' ? settled : end);
      const before = await withdrawal.balance();
      const row = await findWithdrawal(trilho.deps.db.pool, withdrawal.id);
      if (!row) throw new Error('no withdrawal');
      expect(await settlePayout(trilho.deps, row, seenPayout(said))).toBe('review');
      expect(await withdrawal.balance()).toEqual(before);
      expect(await withdrawal.details()).toMatchObject({
        status: 'review',
        failure: {
          code: `provider_says_${said === 'completed' ? settled : said}`,
          message: expect.stringMatching(/^O provedor .* e depois .*Um operador decide/),
        },
      });
    },
  );
});

test.each([
  ['pix', { endToEndId: newEndToEndId(), providerId: null, txHash: null }],
  ['crypto', { endToEndId: null, providerId: uuidv7(NOW), txHash: `0x${'ab'.repeat(32)}` }],
] as const)('a %s payout that failed and is then said to be paid keeps the ids of its payment', async (kind, ids) => {
  await trilho.setSwitch(`${kind}.payout`, kind === 'pix' ? 'rejected' : 'refused');
  const withdrawal = await withdraw(kind);
  await withdrawal.becomes('failed');
  const { deps } = trilho;
  const row = await findWithdrawal(deps.db.pool, withdrawal.id);
  if (!row) throw new Error('no withdrawal');
  expect(await settlePayout(deps, row, { status: 'completed', failureCode: null, receiver: null, ...ids })).toBe(
    'review',
  );
  const externalId = ids.endToEndId ?? ids.providerId;
  const said = async () => [(await withdrawal.details()).external_id, (await lastEvent(withdrawal.id)).external_id];
  expect(await said()).toEqual([externalId, externalId]);
  const review = (await listAllReviews(deps, { waiting: true })).find((one) => one.transactionId === withdrawal.id);
  const decision = { id: review?.id ?? '', resolution: 'recover', reason: 'as paid', by: byOperator('ana') } as const;
  expect(await resolveReview(deps, decision)).toBe('resolved');
  expect(await said()).toEqual([externalId, externalId]);
  const { rows } = await deps.db.pool.query('SELECT tx_hashes FROM transactions WHERE id = $1', [withdrawal.id]);
  expect(rows).toEqual([{ tx_hashes: ids.txHash === null ? [] : [ids.txHash] }]);
});

test('a PIX payout of which the PSP names the payment of another one stays as it is, with an error that says so', async () => {
  const { pool } = trilho.deps.db;
  const paid = await withdraw('pix');
  await paid.becomes('paid');
  const endToEndId = (await findWithdrawal(pool, paid.id))?.endToEndId ?? null;
  await trilho.setSwitch('pix.payout', 'silent_lost');
  const { id, details } = await withdraw('pix');
  const row = await trilho.until('the PSP was asked', async () => {
    const found = await findWithdrawal(pool, id);
    return found?.payoutStep === 'unknown' ? found : null;
  });
  const seen = {
    status: 'completed',
    failureCode: null,
    receiver: null,
    endToEndId,
    providerId: null,
    txHash: null,
  } as const;
  await expect(settlePayout(trilho.deps, row, seen)).rejects.toThrow('the payment of another payout');
  expect((await details()).status).toBe('pending');
});

const lastEvent = async (id: string) => (await readEventData(trilho.deps, id)).at(-1) ?? {};

test('a PIX payout that is rejected at once gives the money back with its SPI code', async () => {
  await trilho.setSwitch('pix.payout', 'rejected');
  const withdrawal = await withdraw('pix');
  const details = await withdrawal.becomes('failed');
  expect(details.failure).toMatchObject({ code: 'AC03' });
  expect(await withdrawal.balance()).toEqual(untouched);
});

describe('the cents of the amount choose the outcome, whatever the switches say', () => {
  test.each([
    [10.11, 'paid'],
    [10.12, 'failed'],
    [10.13, 'failed'],
    [10.14, 'paid'],
    [10.15, 'failed'],
  ])('a PIX withdrawal of %d is %s', async (amount, status) => {
    await trilho.setSwitch('pix.payout', status === 'paid' ? 'rejected' : 'done');
    const withdrawal = await withdraw('pix', { amount });
    const { payoutStep } = await trilho.until('the provider was asked, or has answered', async () => {
      const row = await findWithdrawal(trilho.deps.db.pool, withdrawal.id);
      return row?.payoutStep === 'unknown' || row?.status === status ? row : null;
    });
    if (payoutStep === 'unknown') aheadMs += LOST_AFTER_MS;
    await withdrawal.becomes(status, SILENT_MS);
  });

  test.each([
    [60.31, 'completed'],
    [60.32, 'failed'],
  ])('a crypto withdrawal of %d is %s', async (amount, status) => {
    await trilho.setSwitch('crypto.payout', status === 'completed' ? 'refused' : 'done');
    const withdrawal = await withdraw('crypto', { amount });
    await withdrawal.becomes(status);
  });
});

/** Tomorrow: the service's own worker finds nothing due of what these tests run themselves. */
const LATER = new Date(Date.now() + 24 * 60 * 60_000);
const after = (ms: number) => new Date(LATER.getTime() + ms);

test.each([
  ['lists the newest first', 'newest'],
  ['lists the oldest first', 'oldest'],
])('of two alike crypto payouts whose answers were lost each is found, where the processor %s', async (_, first) => {
  const { pool } = trilho.deps.db;
  const account = await openTestAccount(pool, 'test');
  await fund(pool, account, 20_000n);
  const withdrawals = withdrawalChanges(pool);
  // So far apart that the second one's query does not reach back to the first one's payout.
  const sentAt = [LATER, after(5 * LOST_AFTER_MS)];
  const lost = await Promise.all(
    sentAt.map(async (at) => {
      const withdrawal = newCryptoOut(account, { amountCentavos: 5_000n, now: LATER });
      expect(await withdrawals.request(withdrawal)).toBe('requested');
      expect(await withdrawals.start(withdrawal.id, null, at)).toBe('started');
      await markPayoutUnknown(pool, withdrawal.id, at);
      return withdrawal.id;
    }),
  );
  const executed = sentAt.map((createdAt, at) => ({
    ...{ providerId: `${account.id} ${at}`, status: 'completed', txHash: null, createdAt },
  }));
  if (first === 'newest') executed.reverse();
  const processor = {
    lostAfterMs: LOST_AFTER_MS,
    findPayoutsLike: async (request: CryptoPayoutRequest, since: Date) => ({
      outcome: 'done',
      value: executed
        .filter(({ createdAt }) => createdAt >= since)
        .map((payout) => ({ ...payout, ...request }) as CryptoPayout),
    }),
  };
  const rails = { ...trilho.deps.rails, cryptoNamed: async () => processor } as unknown as typeof trilho.deps.rails;
  const deps = { ...trilho.deps, rails, clock: () => after(10 * LOST_AFTER_MS) };
  for (const id of lost) await runPayout(deps, id);
  const ends = await Promise.all(lost.map((id) => findWithdrawal(pool, id)));
  expect(ends).toMatchObject([
    { status: 'completed', providerId: `${account.id} 0` },
    { status: 'completed', providerId: `${account.id} 1` },
  ]);
});

test('a crypto withdrawal that was approved after a backup is found in what is restored, at the quote of its approval', async () => {
  const { pool } = trilho.deps.db;
  const account = await openTestAccount(pool, 'test');
  await fund(pool, account, 20_000n);
  await awaitApprovalOfAll(pool, account);
  const withdrawals = withdrawalChanges(pool);
  const ids: string[] = [];
  for (const amountCentavos of [5_000n, 3_000n]) {
    const withdrawal = newCryptoOut(account, { amountCentavos, now: LATER });
    expect(await withdrawals.request(withdrawal)).toBe('pending_approval');
    ids.push(withdrawal.id);
  }
  await withClient(trilho.ownerUrl, (client) => markUnsentPayoutsUnknown(client, LATER));

  // The first one was approved and sent, for a tenth less of the coin; the second one was not.
  const sent = { providerId: `${account.id} approved`, units: unitsOf(4_500n), createdAt: after(1) };
  const processor = {
    lostAfterMs: LOST_AFTER_MS,
    findPayoutsLike: async (request: { units: bigint | null }) => ({
      outcome: 'done',
      value: [sent]
        .filter(({ units }) => request.units === null || request.units === units)
        .map((payout) => ({ ...request, ...payout, status: 'completed', txHash: null })),
    }),
  };
  const rails = { ...trilho.deps.rails, cryptoNamed: async () => processor } as unknown as typeof trilho.deps.rails;
  const deps = { ...trilho.deps, rails, clock: () => after(10 * LOST_AFTER_MS) };
  for (const id of ids) await runPayout(deps, id);
  const ends = await Promise.all(ids.map((id) => findWithdrawal(pool, id)));
  expect(ends).toMatchObject([
    { status: 'completed', units: sent.units, providerId: sent.providerId },
    { status: 'failed', failureCode: 'provider_lost' },
  ]);
  expect(await readEventData(trilho.deps, ids[0])).toMatchObject([{ status: 'completed', crypto_amount: 45 }]);
});

test('100 withdrawals over HTTP, 25 at once, never exceed the daily limit', async () => {
  const { apiKey } = await trilho.openAccount({ limits: [{ name: 'daily_limit_out_pix', centavos: 70_00n }] });
  await makePaidCharge(trilho, apiKey, { amount: 100 });
  const pix = { amount: 10, pixKey: '52998224725', pixKeyType: 'CPF' };
  const withdraw = () => trilho.post('/payments/transfers/pix', apiKey, pix);
  const answers: Answer[] = [];
  // Of more at once some would wait for the others, and on a busy machine get 429.
  for (let round = 0; round < 4; round++) answers.push(...(await Promise.all(Array.from({ length: 25 }, withdraw))));
  const outcomes = Map.groupBy(answers, ({ status, body }) => body.error ?? status);
  expect([outcomes.get(200)?.length, outcomes.get('Limite diário atingido')?.length]).toEqual([7, 93]);
});
