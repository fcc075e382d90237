import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { withChangeBefore } from '#db/testing/with-change-before.ts';
import { NO_MERCHANT_FIELDS } from '#domain/transactions/merchant-fields.ts';
import { uuidToTxid, uuidv7 } from '#domain/values/uuid.ts';
import type { CryptoOperation, CryptoRail } from '#rails/ports.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { listAllReviews } from '../reviews/resolve-review.ts';
import { bookOperation } from '../unmatched/book-operation.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { listAllForeignOperations, takeNoteOfOperation } from '../unmatched/take-note-of-operation.ts';
import { requestCryptoWithdrawal } from '../withdrawals/request-crypto-withdrawal.ts';
import { runPayout } from '../withdrawals/run-payout.ts';
import { planSweeps, runSweep } from './sweep-payments.ts';

/**
 * Crypto operations that no callback reports. The worker's own tasks are postponed, so that only
 * the sweep can find them.
 */
let aheadMs = 0;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
let trilho: TestService;
let account: { id: string; apiKey: string };
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(Date.now() + aheadMs) });
  await planSweeps(trilho.deps);
  // The worker's own sweeps would move the pages and periods that the tests look at.
  await putOff('sweep');
});
beforeEach(async () => {
  const { accountId, apiKey } = await trilho.openAccount({ currency: 'USDT_BSC', kycStatus: 'approved' });
  account = { id: accountId, apiKey: apiKey ?? '' };
  await trilho.setSwitch('crypto.callback', 'never');
  await trilho.setSwitch('crypto.processor_acts', 'none');
  await trilho.setSwitch('crypto.payout', 'done');
  await trilho.setSwitch('crypto.white_label', 'on');
});
afterEach(async () => {
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});
afterAll(() => trilho.stop());

/** Postpones the worker's tasks of a kind beyond the end of the test. */
const putOff = (kind: 'sync_invoice' | 'payout' | 'sweep') =>
  trilho.asOwner(`UPDATE tasks SET due_at = now() + interval '1 year' WHERE kind = '${kind}'`);

async function newInvoice(amount: number): Promise<string> {
  const created = await trilho.post('/payments/deposits/crypto', account.apiKey, { amount });
  expect(created.status).toBe(201);
  await putOff('sync_invoice');
  return transactionIdOf(created);
}

async function sweep() {
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>(
    "SELECT id FROM sweeps WHERE span = 'operations_recent' AND rail = 'sandbox-crypto'",
  );
  expect(rows).toHaveLength(1);
  for (const { id } of rows) await runSweep(trilho.deps, id);
}

const rowOf = async (id: string) => {
  const { rows } = await trilho.deps.db.pool.query(
    'SELECT status, sub_status AS sub, received_units AS received FROM transactions WHERE id = $1',
    [id],
  );
  return rows[0];
};
const becomesInDoubt = (id: string) =>
  trilho.until('it is in doubt', async () => {
    const { rows } = await trilho.deps.db.pool.query('SELECT payout_step AS step FROM transactions WHERE id = $1', [
      id,
    ]);
    return rows[0]?.step === 'unknown' ? true : null;
  });
const waiting = () => listAllForeignOperations(trilho.deps, { waiting: true });

test('a paid invoice of which no callback came is credited by a sweep, once, also without white-label', async () => {
  const [whole, bare] = [await newInvoice(108), await newInvoice(54)];
  await trilho.pay(whole);
  await trilho.pay(bare);
  expect(await rowOf(whole)).toMatchObject({ status: 'pending', received: 0n });
  await sweep();
  expect(await rowOf(whole)).toMatchObject({ status: 'completed', received: 2_000_000_000n });
  await trilho.setSwitch('crypto.white_label', 'off');
  await sweep();
  await trilho.setSwitch('crypto.white_label', 'on');
  await sweep();
  expect(await rowOf(bare)).toMatchObject({ status: 'completed' });
  const { body } = await trilho.get('/payments/balance', account.apiKey);
  expect(body.data).toMatchObject({ available_balance: 162 });
  expect(await waiting()).toEqual([]);
});

test('a payment to an invoice that has ended is found by a sweep, and once it is final where it was seen before', async () => {
  const id = await newInvoice(108);
  await trilho.pay(id, { share: '0.5' });
  await trilho.deps.sandbox?.expire(uuidToTxid(id));
  await sweep();
  await trilho.pay(id, { share: '0.5', force: true, unconfirmed: true });
  await sweep();
  expect(await rowOf(id)).toMatchObject({ status: 'completed', received: 2_000_000_000n, sub: 'underpaid' });
  await trilho.confirm(id);
  await sweep();
  expect(await rowOf(id)).toMatchObject({ status: 'completed', received: 2_000_000_000n, sub: 'late' });
  await trilho.pay(id, { share: '0.5', force: true });
  await sweep();
  expect(await rowOf(id)).toMatchObject({ status: 'completed', received: 3_000_000_000n, sub: 'paid_again' });
  // What is worth less than a centavo waits for more, and is not asked about by each sweep.
  await trilho.pay(id, { share: '0.0000001', force: true });
  await sweep();
  expect(await rowOf(id)).toMatchObject({ received: 3_000_000_200n, sub: 'paid_again' });
  const rail = (await trilho.deps.rails.cryptoNamed('sandbox-crypto')) as CryptoRail;
  const asked = vi.spyOn(rail, 'findInvoice');
  await sweep();
  expect(asked.mock.calls).toEqual([]);
  asked.mockRestore();
});

test('a withdrawal whose response was lost and whose end no callback reports is ended by a sweep, and not recorded as foreign', async () => {
  await trilho.pay(await newInvoice(540));
  await sweep();
  await trilho.setSwitch('crypto.payout', 'silent_done');
  const asked = await trilho.post('/payments/transfers/crypto', account.apiKey, { amount: 108, wallet: WALLET });
  expect(asked.status).toBeLessThan(300);
  const id = transactionIdOf(asked);
  await becomesInDoubt(id);
  await putOff('payout');
  aheadMs += MINUTE_MS;
  await sweep();
  expect(await rowOf(id)).toMatchObject({ status: 'completed' });
  expect(await waiting()).toEqual([]);
});

/** What the processor lists of the operation with this number or wallet. */
async function listedOperation(rail: CryptoRail, isIt: (operation: CryptoOperation) => boolean) {
  const listed = await rail.listOperations({ from: new Date(0), to: trilho.deps.clock(), page: 0 });
  const operation = listed.outcome === 'done' ? listed.value.operations.find(isIt) : undefined;
  if (!operation) throw new Error('The processor does not list it.');
  return operation;
}

/** Books an operation while somebody else makes a change just before a statement. */
function bookWhile(rail: CryptoRail, operation: CryptoOperation, statement: string, change: () => Promise<unknown>) {
  let changed: Promise<unknown> | undefined;
  const pool = withChangeBefore(trilho.deps.db.pool, statement, () => {
    changed ??= change();
    return changed;
  });
  return bookOperation({ ...trilho.deps, db: { ...trilho.deps.db, pool } }, rail, operation);
}

test('a withdrawal in doubt that another worker ends while a sweep looks for it is not recorded as foreign', async () => {
  await trilho.pay(await newInvoice(540));
  await sweep();
  await trilho.setSwitch('crypto.payout', 'silent_done');
  const id = transactionIdOf(
    await trilho.post('/payments/transfers/crypto', account.apiKey, { amount: 108, wallet: WALLET }),
  );
  await becomesInDoubt(id);
  await putOff('payout');
  aheadMs += MINUTE_MS;
  const rail = (await trilho.deps.rails.cryptoNamed('sandbox-crypto')) as CryptoRail;
  const { rows } = await trilho.deps.db.pool.query<{ providerId: string }>(
    'SELECT id AS "providerId" FROM sandbox.crypto_payouts ORDER BY created_at DESC LIMIT 1',
  );
  const operation = await listedOperation(rail, ({ providerId }) => providerId === rows[0]?.providerId);
  const booked = await bookWhile(rail, operation, 'find-payouts-in-doubt', () => runPayout(trilho.deps, id));
  expect(await rowOf(id)).toMatchObject({ status: 'completed' });
  expect([booked, await waiting()]).toEqual(['payout', []]);
});

test('an invoice whose number at the processor is stored while a sweep looks for it is not recorded as foreign', async () => {
  const id = await newInvoice(108);
  await trilho.pay(id);
  aheadMs += MINUTE_MS;
  const rail = (await trilho.deps.rails.cryptoNamed('sandbox-crypto')) as CryptoRail;
  const operation = await listedOperation(rail, ({ orderNumber }) => orderNumber === id);
  const store = (number: string | null) =>
    trilho.deps.db.pool.query('UPDATE transactions SET provider_id = $2 WHERE id = $1', [id, number]);
  await store(null);
  await bookWhile(rail, operation, 'find-invoice', () => store(operation.providerId));
  expect(await rowOf(id)).toMatchObject({ status: 'completed' });
  expect(await waiting()).toEqual([]);
});

const doneOperation = (change: Partial<CryptoOperation>): CryptoOperation => ({
  ...{ providerId: '00edf873d9ed3a558712aab1', kind: 'payout', orderNumber: null, status: 'done' },
  ...{ units: 1n, feeUnits: 0n, currency: 'USDT_BSC', createdAt: trilho.deps.clock(), ...change },
});

test('a payout is not recorded as foreign before the answer about one of the service’s own must have been read', async () => {
  const rail = (await trilho.deps.rails.cryptoNamed('sandbox-crypto')) as CryptoRail;
  const operation = doneOperation({});
  const bookAfter = (ms: number) => {
    const clock = () => new Date((operation.createdAt?.getTime() ?? 0) + ms);
    return bookOperation({ ...trilho.deps, clock }, rail, operation);
  };
  expect(await bookAfter(rail.lostAfterMs - 1)).toBe('unchanged');
  expect(await bookAfter(rail.lostAfterMs)).toBe('foreign_operation');
  for (const { id } of await waiting())
    await takeNoteOfOperation(trilho.deps, { id, reason: 'seen', by: byOperator('ana') });
});

test('an invoice under the number of one at another processor is not taken for that one, whose own answer was lost', async () => {
  const id = await newInvoice(108);
  await trilho.deps.db.pool.query('UPDATE transactions SET provider_id = NULL WHERE id = $1', [id]);
  const rail = (await trilho.deps.rails.cryptoNamed('sandbox-crypto')) as CryptoRail;
  const elsewhere = { ...rail, name: 'another-processor' };
  const operation = doneOperation({ kind: 'invoice', orderNumber: id, createdAt: new Date(0) });
  expect(await bookOperation(trilho.deps, elsewhere, operation)).toBe('foreign_operation');
  expect(await rowOf(id)).toMatchObject({ status: 'pending', received: 0n });
  for (const { id } of await waiting())
    await takeNoteOfOperation(trilho.deps, { id, reason: 'seen', by: byOperator('ana') });
});

/** Books a listed payout that the processor says is not done yet once it is asked about it. */
async function stillUnderWay(providerId: string) {
  const rail = (await trilho.deps.rails.cryptoNamed('sandbox-crypto')) as CryptoRail;
  const listed = await rail.listOperations({ from: new Date(0), to: trilho.deps.clock(), page: 0 });
  const operations = listed.outcome === 'done' ? listed.value.operations : [];
  const operation = operations.find((one) => one.providerId === providerId) as CryptoOperation;
  const findPayout: CryptoRail['findPayout'] = async (id) => {
    const found = await rail.findPayout(id);
    return found.outcome === 'done' && found.value
      ? { outcome: 'done', value: { ...found.value, status: 'processing' } }
      : found;
  };
  expect(await bookOperation(trilho.deps, { ...rail, findPayout }, operation)).toBe('payout');
}

test.each([
  ['', 0],
  [', was made under the id of a request of weeks before', 30],
])(
  'a withdrawal that was given up as lost%s, and is carried out all the same, waits for an operator, once',
  async (_, idDays) => {
    await trilho.pay(await newInvoice(540));
    await sweep();
    await trilho.setSwitch('crypto.payout', 'silent_lost');
    const id = uuidv7(new Date(trilho.deps.clock().getTime() - idDays * DAY_MS));
    const terms = await findAccountTerms(trilho.deps.db.pool, account.id, trilho.deps.clock());
    const acting = { ...(terms as AccountTerms), actor: null, origin: { ipAddress: null, userAgent: null } };
    const input = { id, amountCentavos: 108_00n, wallet: WALLET, currency: null, memo: null };
    await requestCryptoWithdrawal(trilho.deps, acting, { ...input, merchantFields: NO_MERCHANT_FIELDS });
    await becomesInDoubt(id);
    await putOff('payout');
    aheadMs += MINUTE_MS;
    expect(await runPayout(trilho.deps, id)).toBeNull();
    expect(await rowOf(id)).toMatchObject({ status: 'failed' });

    const carriedOut = (payoutId: string, wallet: string) =>
      trilho.asOwner(`INSERT INTO sandbox.crypto_payouts (id, shop_id, currency, units, wallet, tx_hash, created_at, completes_at)
      SELECT '${payoutId}', shop_id, 'USDT_BSC', 2000000000, '${wallet}', 'h${payoutId}',
        '${trilho.deps.clock().toISOString()}', '${trilho.deps.clock().toISOString()}'
      FROM sandbox.crypto_invoices LIMIT 1`);
    const providerIdOf = (n: number) => `00edf873d9ed3a55871${String(idDays).padStart(2, '0')}aa${n}`;
    await carriedOut(providerIdOf(1), '0x52908400098527886E0F7030069857D2E4169EE7');
    await carriedOut(providerIdOf(2), WALLET);
    aheadMs += MINUTE_MS;
    await stillUnderWay(providerIdOf(2));
    expect(await waiting()).toEqual([]);
    await sweep();
    await carriedOut(providerIdOf(3), WALLET);
    aheadMs += MINUTE_MS;
    await sweep();
    expect(await rowOf(id)).toMatchObject({ status: 'review' });
    const reviews = (await listAllReviews(trilho.deps, { waiting: true })).filter((one) => one.transactionId === id);
    expect(reviews).toMatchObject([
      { reason: 'provider_says_completed', resolutions: ['recover', 'dismiss', 'write_off'] },
    ]);
    // The others are to another wallet, and a second one to this.
    const foreign = await waiting();
    expect(foreign.map(({ providerId }) => providerId).sort()).toEqual([providerIdOf(1), providerIdOf(3)]);
    for (const { id } of foreign) await takeNoteOfOperation(trilho.deps, { id, reason: 'seen', by: byOperator('ana') });
    const { body } = await trilho.get('/payments/balance', account.apiKey);
    expect(body.data).toMatchObject({ available_balance: 540 });
  },
);

test.each([
  ['pay_elsewhere', 'invoice'],
  ['send_elsewhere', 'payout'],
])(
  'an operation made at the processor itself (%s) moves no balance, and waits until it is acknowledged',
  async (act, kind) => {
    await trilho.setSwitch('crypto.processor_acts', act);
    await trilho.pay(await newInvoice(54));
    // A minute later, too late to be an operation that the service sent.
    aheadMs += MINUTE_MS;
    await sweep();
    await sweep();
    const [operation, ...others] = await waiting();
    expect(operation).toMatchObject({
      kind,
      rail: 'sandbox-crypto',
      mode: 'test',
      accountId: null,
      units: 1_000_000_000n,
    });
    expect(others).toEqual([]);
    const { body } = await trilho.get('/payments/balance', account.apiKey);
    expect(body.data).toMatchObject({ available_balance: 54 });

    const note = { id: operation?.id ?? '', reason: 'the owner’s own', by: byOperator('ana') };
    expect(await takeNoteOfOperation(trilho.deps, note)).toBe('acknowledged');
    expect(await takeNoteOfOperation(trilho.deps, note)).toBe('decided');
    await sweep();
    expect(await waiting()).toEqual([]);
    expect((await listAllForeignOperations(trilho.deps, { waiting: false }))[0]).toMatchObject({
      id: operation?.id,
      reason: 'the owner’s own',
      decidedBy: 'ana',
    });
  },
);

test('money of another invoice under the number of one of ours is in sight, and credits nothing', async () => {
  const id = await newInvoice(108);
  const rail = await trilho.deps.rails.cryptoNamed('sandbox-crypto');
  if (!rail) throw new Error('no rail');
  const other = { providerId: '00edf873d9ed3a558712abcd', kind: 'invoice', orderNumber: id, status: 'done' } as const;
  const createdAt = trilho.deps.clock();
  const operation = { ...other, units: 1_000n, feeUnits: 0n, currency: 'LTC', createdAt };
  aheadMs += MINUTE_MS;
  expect(await bookOperation(trilho.deps, rail, { ...operation, status: 'open' })).toBe('unchanged');
  expect(await bookOperation(trilho.deps, rail, operation)).toBe('foreign_operation');
  expect(await rowOf(id)).toMatchObject({ status: 'pending', received: 0n });
  const [foreign] = await waiting();
  expect(foreign).toMatchObject({ providerId: other.providerId, currency: 'LTC', units: 1_000n });
  await takeNoteOfOperation(trilho.deps, { id: foreign?.id ?? '', reason: 'seen', by: byOperator('ana') });
});

test('an operation from before the first sweep is left alone', async () => {
  await trilho.asOwner(`INSERT INTO sandbox.crypto_payouts (id, shop_id, currency, units, wallet, tx_hash, created_at, completes_at)
    SELECT '00edf873d9ed3a558712be00', shop_id, 'USDT_BSC', 5, '${WALLET}', 'old', now() - interval '5 days', now() - interval '5 days'
    FROM sandbox.crypto_invoices LIMIT 1`);
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>(
    "SELECT id FROM sweeps WHERE span = 'operations_days'",
  );
  await runSweep(trilho.deps, rows[0]?.id ?? '');
  expect(await waiting()).toEqual([]);
});

test('a sweep of several pages goes on with the page that it was at, and records each operation once', async () => {
  await trilho.asOwner(`INSERT INTO sandbox.crypto_payouts (id, shop_id, currency, units, wallet, tx_hash, created_at, completes_at)
    SELECT '00edf873d9ed3a55871' || lpad(n::text, 5, '0'), shop_id, 'USDT_BSC', n, '${WALLET}', 'h' || n, '${trilho.deps.clock().toISOString()}', now()
    FROM (SELECT shop_id FROM sandbox.crypto_invoices LIMIT 1) AS s, generate_series(1, 120) AS n`);
  aheadMs += MINUTE_MS;
  await sweep();
  const { rows } = await trilho.deps.db.pool.query<{ page: number }>(
    "SELECT page FROM sweeps WHERE span = 'operations_recent' AND rail = 'sandbox-crypto'",
  );
  expect(rows).toEqual([{ page: 1 }]);
  await sweep();
  await sweep();
  expect(await waiting()).toHaveLength(120);
});

test('after an outage of weeks a sweep reads from where the last one ended', async () => {
  await trilho.asOwner(`UPDATE sweeps SET created_at = now() - interval '40 days', finished_at = now() - interval '30 days',
      from_at = NULL, to_at = NULL, page = 0 WHERE span = 'operations_recent'`);
  await trilho.asOwner(`INSERT INTO sandbox.crypto_payouts (id, shop_id, currency, units, wallet, tx_hash, created_at, completes_at)
    SELECT '00edf873d9ed3a558712beef', shop_id, 'USDT_BSC', 5, '${WALLET}', 'away', now() - interval '20 days', now() - interval '20 days'
    FROM sandbox.crypto_invoices LIMIT 1`);
  // A page has the newest operations first.
  for (let page = 0; page < 3; page++) await sweep();
  expect((await waiting()).map(({ providerId }) => providerId)).toContain('00edf873d9ed3a558712beef');
});
