import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { requestReconciliation } from '#services/reconciliation/request-reconciliation.ts';
import { planSweeps } from '#services/sweeps/sweep-payments.ts';
import { assertProperty } from './assert-property.ts';
import { findDifferences, reconcile } from './books/differences.ts';
import { findAccountErrors } from './books/find-account-errors.ts';
import { startHistory } from './books/start-history.ts';
import { EXAMPLE, someSteps } from './books/steps.ts';
import { decideAll, waiting } from './books/waiting.ts';
import { settle } from './books/work.ts';
import { type PspUnderTest, startPspUnderTest } from './psp-under-test.ts';

/**
 * Whatever payers, banks, the network and crashes do: once the sweeps have run, our books equal the
 * PSP's to the centavo, each movement at the PSP is in our books, and what waits can be decided.
 * The service's own comparison, day by day, finds the same, and no difference with crypto
 * processors either. Nothing stays held in an account then, and its withdrawals, refunds, charges
 * and events say what its money has done, also where several of these happened at once.
 */

/** How many histories a run tries; BOOKS_RUNS asks for more. */
const RUNS = Number(process.env.BOOKS_RUNS ?? 10);
/** The seed and the path in it that a failed run has printed. */
const { BOOKS_SEED, BOOKS_PATH } = process.env;
const REPEATED = BOOKS_SEED ? { seed: Number(BOOKS_SEED), ...(BOOKS_PATH && { path: BOOKS_PATH }) } : {};
const STEPS_MAX = 30;
/** Against a history that hangs: a slow machine that is busy takes a third of it. */
const LIMIT_MS = 120_000 + 60_000 * RUNS;

let psp: PspUnderTest;
beforeAll(async () => {
  psp = await startPspUnderTest();
  await planSweeps(psp.service().deps);
});
afterAll(() => psp.stop());

test(
  'after any history of payments, returns, lost answers and crashes our books equal the PSP’s, and all that waits can be decided',
  async () => {
    const seen = new Set<string>();
    let differing: string[] = [];
    let explained = 0;
    await assertProperty(
      [
        fc.array(someSteps, { minLength: 1, maxLength: STEPS_MAX, size: 'max' }),
        fc.array(fc.nat({ max: 11 }), { minLength: 4, maxLength: 8 }),
      ],
      async (steps, picks) => {
        // What a failing history leaves behind does not count against the next, shorter one.
        const before = await findDifferences(psp);
        const history = await startHistory(psp, seen);
        for (const step of steps.flat()) await history.happens(step);
        await settle(psp);
        expect(await findDifferences(psp)).toEqual(before);
        await decideAll(psp, history.accountId, picks, seen, { isAlone: true });
        await settle(psp);
        expect(await findDifferences(psp)).toEqual(before);
        expect(await waiting(psp)).toEqual([]);
        expect(await findAccountErrors(psp, history.accounts)).toEqual([]);
        const reconciled = await reconcile(psp);
        explained += reconciled.explained;
        if (reconciled.sentInCoins) seen.add('coins');
        const known = differing;
        differing = reconciled.differing;
        expect(differing).toEqual(known);
      },
      { numRuns: RUNS, examples: [[EXAMPLE, [0, 1, 2, 3]]], ...REPEATED },
    );
    // Histories in which nothing went wrong would prove nothing.
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'approve',
        'coins',
        'case returned',
        'case won',
        'decline',
        'died',
        'owed',
        'review',
        'sent at the bank',
        'unmatched',
      ]),
    );
    expect(explained).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

test('a payment that our books lack is found', async () => {
  const history = await startHistory(psp, new Set());
  await history.happens({ do: 'charge', centavos: 10_70n });
  await history.happens({ do: 'pay', ago: 0, another: false, act: 'none' });
  await settle(psp);
  await psp.pool.query(`INSERT INTO sandbox.payments (end_to_end_id, document, chave, amount_centavos, paid_at)
    SELECT 'E77777777202611201200AbCdEfGhIjK', document, chave, 1, paid_at FROM sandbox.payments
    ORDER BY paid_at DESC LIMIT 1`);
  expect(await findDifferences(psp)).toEqual([
    'payment E77777777202611201200AbCdEfGhIjK has no place in our books',
    "our books have -1 more than the PSP's",
  ]);
  const { rows } = await psp.pool.query<{ at: Date }>('SELECT max(paid_at) AS at FROM sandbox.payments');
  const day = dateInSaoPaulo(rows[0]?.at ?? psp.now());
  await reconcile(psp);
  await requestReconciliation(psp.service().deps, { day, rail: null });
  const { differing } = await reconcile(psp);
  expect(differing).toContain(`${day}, missing_here: payment E77777777202611201200AbCdEfGhIjK`);
  await psp.pool.query(`DELETE FROM sandbox.payments WHERE end_to_end_id = 'E77777777202611201200AbCdEfGhIjK'`);
  expect(await findDifferences(psp)).toEqual([]);
});

test('a dispute that has another state in our books is found', async () => {
  const history = await startHistory(psp, new Set());
  await history.happens({ do: 'charge', centavos: 10_70n });
  await history.happens({ do: 'pay', ago: 0, another: false, act: 'none' });
  await history.happens({ do: 'contest', ago: 0, outcome: 'cancelled' });
  await settle(psp);
  expect(await findDifferences(psp)).toEqual([]);
  const last = 'id = (SELECT id FROM sandbox.disputes ORDER BY protocol DESC LIMIT 1)';
  await psp.pool.query(`UPDATE sandbox.disputes SET status = 'REJEITADA' WHERE ${last}`);
  expect(await findDifferences(psp)).toEqual([
    expect.stringMatching(/^case of E\w+, REJEITADA at the PSP and here cancelled$/),
  ]);
  await psp.pool.query(`UPDATE sandbox.disputes SET status = 'CANCELADA_EFI' WHERE ${last}`);
});

test('a withdrawal that has another state than its money and its events is found', async () => {
  const { accounts, happens } = await startHistory(psp, new Set());
  await happens({ do: 'charge', centavos: 20_70n });
  await happens({ do: 'pay', ago: 0, another: false, act: 'none' });
  await happens({ do: 'work' });
  await happens({ do: 'withdraw', centavos: 10_70n, ends: 'done' });
  await settle(psp);
  expect(await findAccountErrors(psp, accounts)).toEqual([]);
  const ofHistory = "account_id = $1 AND type = 'pix_out'";
  await psp.pool.query(`UPDATE transactions SET status = 'failed' WHERE ${ofHistory}`, [accounts[0]?.id]);
  expect(await findAccountErrors(psp, accounts)).toEqual([
    expect.stringMatching(/^pix_out .*, failed, has cost 1070$/),
    expect.stringMatching(/^pix_out .*, failed, says processing paid$/),
  ]);
});
