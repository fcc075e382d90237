import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import { drainDueTasks } from '#jobs/worker.ts';
import { contestPayment } from '#sandbox/pix/contest.ts';
import type { DisputeMagic } from '#sandbox/pix/magic.ts';
import { returnAtPsp } from '#sandbox/pix/refund-records.ts';
import type { Deps } from '#services/deps.ts';
import { giveAnswer, listCases } from '#services/disputes/manage-disputes.ts';
import { listDayItems, listReconciliation } from '#services/reconciliation/list-reconciliation.ts';
import { planReconciliation } from '#services/reconciliation/plan-reconciliation.ts';
import { requestReconciliation } from '#services/reconciliation/request-reconciliation.ts';
import { listAllReviews, resolveReview } from '#services/reviews/resolve-review.ts';
import { planSweeps } from '#services/sweeps/sweep-payments.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import { chargePayout, listAllForeignPayouts, writeOffPayout } from '#services/unmatched/decide-foreign-payout.ts';
import {
  assignPayment,
  depositPayment,
  listUnmatchedPayments,
  returnPayment,
} from '#services/unmatched/decide-unmatched.ts';
import { assertProperty } from './assert-property.ts';
import { type Loss, type PspUnderTest, startPspUnderTest } from './psp-under-test.ts';

/**
 * Whatever payers, banks, the network and crashes do: once the sweeps have run, our books equal the
 * PSP's to the centavo, each movement at the PSP is in our books, and what waits can be decided.
 * The service's own comparison, day by day, finds the same, and no difference with crypto
 * processors either.
 */

/** How many histories a run tries; BOOKS_RUNS asks for more. */
const RUNS = Number(process.env.BOOKS_RUNS ?? 10);
/** The seed and the path in it that a failed run has printed. */
const { BOOKS_SEED, BOOKS_PATH } = process.env;
const REPEATED = BOOKS_SEED ? { seed: Number(BOOKS_SEED), ...(BOOKS_PATH && { path: BOOKS_PATH }) } : {};
const STEPS_MAX = 30;
/** Against a history that hangs: a slow machine that is busy takes a third of it. */
const LIMIT_MS = 120_000 + 60_000 * RUNS;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Payouts, refunds and callbacks are settled within this many rounds. */
const LOOKS_MAX = 60;

let psp: PspUnderTest;
let histories = 0;
let sentInCoins = 0;
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
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
        const before = await findDifferences();
        const history = await startHistory(seen);
        for (const step of steps.flat()) await history.happens(step);
        await settle();
        expect(await findDifferences()).toEqual(before);
        await decideAll(history.accountId, picks, seen);
        await settle();
        expect(await findDifferences()).toEqual(before);
        expect(await waiting()).toEqual([]);
        const reconciled = await reconcile();
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
        'coins',
        'case returned',
        'case won',
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
  const history = await startHistory(new Set());
  await history.happens({ do: 'charge', centavos: 10_70n });
  await history.happens({ do: 'pay', ago: 0, another: false, act: 'none' });
  await settle();
  await psp.pool.query(`INSERT INTO sandbox.payments (end_to_end_id, document, chave, amount_centavos, paid_at)
    SELECT 'E77777777202611201200AbCdEfGhIjK', document, chave, 1, paid_at FROM sandbox.payments
    ORDER BY paid_at DESC LIMIT 1`);
  expect(await findDifferences()).toEqual([
    'payment E77777777202611201200AbCdEfGhIjK has no place in our books',
    "our books have -1 more than the PSP's",
  ]);
  const { rows } = await psp.pool.query<{ at: Date }>('SELECT max(paid_at) AS at FROM sandbox.payments');
  const day = dateInSaoPaulo(rows[0]?.at ?? psp.now());
  await reconcile();
  await requestReconciliation(psp.service().deps, { day, rail: null });
  const { differing } = await reconcile();
  expect(differing).toContain(`${day}, missing_here: payment E77777777202611201200AbCdEfGhIjK`);
  await psp.pool.query(`DELETE FROM sandbox.payments WHERE end_to_end_id = 'E77777777202611201200AbCdEfGhIjK'`);
  expect(await findDifferences()).toEqual([]);
});

test('a dispute that has another state in our books is found', async () => {
  const history = await startHistory(new Set());
  await history.happens({ do: 'charge', centavos: 10_70n });
  await history.happens({ do: 'pay', ago: 0, another: false, act: 'none' });
  await history.happens({ do: 'contest', ago: 0, outcome: 'cancelled' });
  await settle();
  expect(await findDifferences()).toEqual([]);
  const last = 'id = (SELECT id FROM sandbox.disputes ORDER BY protocol DESC LIMIT 1)';
  await psp.pool.query(`UPDATE sandbox.disputes SET status = 'REJEITADA' WHERE ${last}`);
  expect(await findDifferences()).toEqual([
    expect.stringMatching(/^case of E\w+, REJEITADA at the PSP and here cancelled$/),
  ]);
  await psp.pool.query(`UPDATE sandbox.disputes SET status = 'CANCELADA_EFI' WHERE ${last}`);
});

type Ending = 'done' | 'refused' | 'rejected';
type Step =
  | { do: 'charge'; centavos: bigint }
  | {
      do: 'pay';
      ago: number;
      another: boolean;
      act: 'none' | 'refund_in_app' | 'med_return' | 'pay_key' | 'send_in_app';
    }
  | { do: 'refund'; ago: number; parts: number; ends: Ending }
  | { do: 'withdraw'; centavos: bigint; ends: Ending }
  | { do: 'cancel'; ago: number }
  | { do: 'coins in'; centavos: bigint; share: string; act: 'none' | 'pay_elsewhere' | 'send_elsewhere' }
  | { do: 'coins out'; ends: 'done' | 'refused' }
  | { do: 'return at PSP'; ago: number; parts: number; nature: 'ORIGINAL' | 'MED_FRAUDE' }
  | { do: 'contest'; ago: number; outcome: DisputeMagic }
  | { do: 'answer'; ago: number; answer: 'agree' | 'contest' }
  | { do: 'callbacks'; mode: 'once' | 'twice' | 'never' | 'delayed' | 'forged' | 'reordered' | 'failing' }
  | { do: 'lose'; losses: Loss[] }
  | { do: 'silence'; mode: 'ok' | 'error' }
  | { do: 'wait'; seconds: number }
  | { do: 'work' }
  | { do: 'die'; statements: number }
  | { do: 'restart' };

/** Small amounts, so that balances run out; none with magic cents. */
const anAmount = fc.integer({ min: 1, max: 8 }).map((tens) => BigInt(tens) * 1_000n + 70n);
const ago = fc.nat({ max: 3 });
const parts = fc.integer({ min: 1, max: 3 });
const ends = fc.constantFrom<Ending>('done', 'done', 'refused', 'rejected');
const of = <D extends Step['do']>(
  name: D,
  fields: { [K in keyof Omit<Extract<Step, { do: D }>, 'do'>]: fc.Arbitrary<Extract<Step, { do: D }>[K]> },
) => fc.record({ do: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Step>;

const someStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: of('charge', { centavos: anAmount }) },
  {
    weight: 7,
    arbitrary: of('pay', {
      ago,
      another: fc.boolean(),
      act: fc.constantFrom('none', 'none', 'none', 'refund_in_app', 'med_return', 'pay_key', 'send_in_app'),
    }),
  },
  { weight: 2, arbitrary: of('refund', { ago, parts, ends }) },
  { weight: 4, arbitrary: of('withdraw', { centavos: anAmount, ends }) },
  { weight: 1, arbitrary: of('cancel', { ago }) },
  {
    weight: 2,
    arbitrary: of('coins in', {
      centavos: anAmount,
      share: fc.constantFrom('1', '1', '0.5', '2'),
      act: fc.constantFrom('none', 'none', 'pay_elsewhere', 'send_elsewhere'),
    }),
  },
  { weight: 1, arbitrary: of('coins out', { ends: fc.constantFrom('done', 'refused') }) },
  { weight: 3, arbitrary: of('return at PSP', { ago, parts, nature: fc.constantFrom('ORIGINAL', 'MED_FRAUDE') }) },
  {
    weight: 3,
    arbitrary: of('contest', {
      ago,
      outcome: fc.constantFrom<DisputeMagic>('contested', 'contested', 'lost', 'lost_in_part', 'cancelled', 'returned'),
    }),
  },
  { weight: 2, arbitrary: of('answer', { ago, answer: fc.constantFrom('agree', 'contest') }) },
  {
    weight: 2,
    arbitrary: of('callbacks', {
      mode: fc.constantFrom('once', 'twice', 'never', 'delayed', 'forged', 'reordered', 'failing'),
    }),
  },
  {
    weight: 2,
    arbitrary: of('lose', {
      losses: fc.array(fc.constantFrom<Loss>('request', 'answer'), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: of('silence', { mode: fc.constantFrom('ok', 'error') }) },
  { weight: 5, arbitrary: of('wait', { seconds: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.nat({ max: 7_200 })) }) },
  { weight: 6, arbitrary: of('work', {}) },
  { weight: 4, arbitrary: of('die', { statements: fc.nat({ max: 40 }) }) },
  { weight: 1, arbitrary: of('restart', {}) },
);

/** Money comes in first, so that there is some to go wrong with. */
const someSteps: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 5, arbitrary: someStep.map((step) => [step]) },
  {
    weight: 1,
    arbitrary: anAmount.map((centavos): Step[] => [
      { do: 'charge', centavos },
      { do: 'pay', ago: 0, another: false, act: 'none' },
      { do: 'work' },
    ]),
  },
  {
    // And money goes back once it is spent.
    weight: 1,
    arbitrary: anAmount.map((centavos): Step[] => [
      { do: 'charge', centavos },
      { do: 'pay', ago: 0, another: false, act: 'none' },
      { do: 'work' },
      { do: 'withdraw', centavos, ends: 'done' },
      { do: 'return at PSP', ago: 0, parts: 3, nature: 'MED_FRAUDE' },
    ]),
  },
);

/** Each kind of failure once, so that no run misses one. */
const EXAMPLE: Step[][] = [
  [
    { do: 'charge', centavos: 50_70n },
    { do: 'pay', ago: 0, another: false, act: 'none' },
    { do: 'work' },
    { do: 'withdraw', centavos: 50_70n, ends: 'done' },
    { do: 'return at PSP', ago: 0, parts: 3, nature: 'MED_FRAUDE' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'charge', centavos: 20_70n },
    { do: 'pay', ago: 0, another: false, act: 'send_in_app' },
    { do: 'pay', ago: 0, another: true, act: 'pay_key' },
    { do: 'die', statements: 0 },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'charge', centavos: 30_70n },
    { do: 'pay', ago: 0, another: false, act: 'none' },
    { do: 'work' },
    { do: 'contest', ago: 0, outcome: 'contested' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'lose', losses: ['answer'] },
    { do: 'answer', ago: 0, answer: 'contest' },
    { do: 'work' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'contest', ago: 0, outcome: 'lost_in_part' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'charge', centavos: 40_70n },
    { do: 'pay', ago: 0, another: false, act: 'none' },
    { do: 'work' },
    { do: 'refund', ago: 0, parts: 2, ends: 'done' },
    { do: 'return at PSP', ago: 0, parts: 3, nature: 'MED_FRAUDE' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'coins in', centavos: 80_70n, share: '2', act: 'send_elsewhere' },
    { do: 'work' },
    { do: 'lose', losses: ['answer'] },
    { do: 'coins out', ends: 'done' },
    { do: 'work' },
  ],
];

/** A new account, and what happens to it. */
async function startHistory(seen: Set<string>) {
  await setSwitches({ 'pix.callback': 'once', 'pix.query': 'ok', 'pix.psp_acts': 'none' });
  psp.lose([]);
  const { accountId, apiKey = '' } = await psp
    .service()
    .openAccount({ email: `${++histories}@example.com`, currency: 'USDT_BSC' });
  const charges: string[] = [];
  const chosen = (index: number) => charges.at(-1 - (index % Math.max(charges.length, 1)));
  const post = (path: string, body: unknown) => psp.service().post(path, apiKey ?? '', body);

  async function happens(step: Step): Promise<void> {
    if (step.do === 'charge') {
      const { body } = await post('/payments/transactions', { amount: Number(step.centavos) / 100 });
      const id = (body.data as { transaction_id: string } | undefined)?.transaction_id;
      if (id) charges.push(id);
    } else if (step.do === 'pay') {
      const id = chosen(step.ago);
      if (!id) return;
      await setSwitches({ 'pix.psp_acts': step.act });
      // A charge that the PSP does not have is not paid.
      await sandbox().pay({ txid: id.replaceAll('-', ''), force: true, ...(step.another && { amount: '33.70' }) });
    } else if (step.do === 'refund') {
      const id = chosen(step.ago);
      await setSwitches({ 'pix.refund': step.ends });
      if (id) await post(`/payments/transactions/${id}/refund`, { amount: step.parts * 5 });
    } else if (step.do === 'withdraw') {
      await setSwitches({ 'pix.payout': step.ends });
      await post('/payments/transfers/pix', {
        amount: Number(step.centavos) / 100,
        pixKey: 'maria@example.com',
        pixKeyType: 'email',
      });
    } else if (step.do === 'coins in') {
      const { body } = await post('/payments/deposits/crypto', { amount: Number(step.centavos) / 100 });
      const id = (body.data as { transaction_id: string } | undefined)?.transaction_id;
      await setSwitches({ 'crypto.processor_acts': step.act });
      if (id) await sandbox().pay({ txid: id.replaceAll('-', ''), share: step.share, force: true });
    } else if (step.do === 'coins out') {
      await setSwitches({ 'crypto.payout': step.ends });
      // Each has an amount of its own, by which a lost answer is found again.
      await post('/payments/transfers/crypto', { amount: 11.7 + ++sentInCoins, wallet: WALLET });
    } else if (step.do === 'cancel') {
      const id = chosen(step.ago);
      if (id) await post(`/payments/transactions/${id}/cancel`, {});
    } else if (step.do === 'return at PSP') await returnPart(step);
    else if (step.do === 'contest') await contest(step);
    else if (step.do === 'answer') await answer(step);
    else if (step.do === 'callbacks') await setSwitches({ 'pix.callback': step.mode });
    else if (step.do === 'silence') await setSwitches({ 'pix.query': step.mode });
    else if (step.do === 'lose') psp.lose(step.losses);
    else if (step.do === 'wait') psp.advance(step.seconds * 1_000);
    else if (step.do === 'work') await work();
    else if (step.do === 'restart') await psp.restart();
    else if (await workUntilDead(step.statements)) seen.add('died');
  }

  /**
   * A payment of this history, with what the PSP still has of it; `index` counts back from the
   * newest.
   */
  async function findPayment(index: number) {
    const { rows } = await psp.pool.query<{ id: string; centavos: string; left: string }>(
      `SELECT p.end_to_end_id AS id, p.amount_centavos AS centavos, p.amount_centavos - coalesce((
          SELECT sum(r.amount_centavos) FROM sandbox.refunds r
          WHERE r.end_to_end_id = p.end_to_end_id AND r.status <> 'NAO_REALIZADO'), 0) AS left
        FROM sandbox.payments p WHERE p.txid = ANY ($1) OR p.txid IS NULL AND p.paid_at > $2
        ORDER BY p.paid_at DESC, p.end_to_end_id`,
      [charges.map((id) => id.replaceAll('-', '')), new Date(psp.now().getTime() - DAY_MS)],
    );
    return rows[index % Math.max(rows.length, 1)];
  }

  /** Returns a third or more of a payment: at the bank only where the PSP still has that much. */
  async function returnPart({ ago: index, parts: thirds, nature }: Step & { do: 'return at PSP' }) {
    const payment = await findPayment(index);
    const centavos = payment && (BigInt(payment.centavos) * BigInt(thirds)) / 3n;
    // The return mechanism may take a payment beside a refund of it, together more than was paid.
    if (!centavos || (nature === 'ORIGINAL' && centavos > BigInt(payment.left))) return;
    const db = await psp.pool.connect();
    await returnAtPsp(db, payment.id, { centavos, nature, now: psp.now() });
    db.release();
  }

  /** The payer contests a payment, and the PSP decides with `outcome`. */
  async function contest({ ago: index, outcome }: Step & { do: 'contest' }) {
    const payment = await findPayment(index);
    if (!payment) return;
    const db = await psp.pool.connect();
    await contestPayment(db, { endToEndId: payment.id, outcome }, psp.now());
    db.release();
  }

  async function answer({ ago: index, answer: given }: Step & { do: 'answer' }) {
    const { deps } = psp.service();
    const open = (await listCases(deps)).filter((one) => one.accountId === accountId && one.state === 'open');
    const id = open[index % Math.max(open.length, 1)]?.id;
    if (id) await giveAnswer(deps, { id, accountId, answer: given, text: 'Delivered.', by: byOperator('ana') });
  }

  return {
    accountId,
    async happens(step: Step) {
      await happens(step);
      // No two things happen at the same instant.
      psp.advance(1_000);
      for (const { kind } of [...(await waiting()), ...(await owing())]) seen.add(kind);
    },
  };
}

const sandbox = () => {
  const { sandbox: control } = psp.service().deps;
  if (!control) throw new Error('There is no sandbox.');
  return control;
};

async function setSwitches(values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await psp.pool.query(
      'INSERT INTO sandbox.switches (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [name, value],
    );
  }
}

/** Processes what is due at the PSP, then what is due here. */
async function work(): Promise<void> {
  await psp.drain();
  await drainDueTasks(psp.service().deps, TASK_HANDLERS);
}

/**
 * Runs a worker that dies after so many statements and leaves what it had begun. Returns whether it
 * died.
 */
async function workUntilDead(statements: number): Promise<boolean> {
  await psp.drain();
  const { deps } = psp.service();
  let left = statements;
  const spend = () => {
    if (left-- <= 0) throw new Error('The worker is dead.');
  };
  const pool = new Proxy(deps.db.pool, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function') return value;
      if (name !== 'query' && name !== 'connect') return value.bind(target);
      return async (...args: unknown[]) => {
        spend();
        return value.apply(target, args);
      };
    },
  });
  const dying: Deps = { ...deps, db: { ...deps.db, pool } };
  return drainDueTasks(dying, TASK_HANDLERS).then(
    () => false,
    () => true,
  );
}

const UNDERWAY = `SELECT (SELECT count(*) FROM transactions WHERE type IN ('pix_out', 'crypto_out') AND status IN ('pending', 'processing'))
  + (SELECT count(*) FROM refunds WHERE status = 'pending')
  + (SELECT count(*) FROM payment_returns WHERE status = 'pending')
  + (SELECT count(*) FROM inbound_callbacks WHERE processed_at IS NULL) AS count`;

/**
 * Lets every call be answered again, and time pass until nothing is in progress and all sweeps have
 * run.
 */
async function settle(): Promise<void> {
  psp.lose([]);
  await setSwitches({ 'pix.query': 'ok', 'pix.refund': 'done', 'pix.psp_acts': 'none' });
  await setSwitches({ 'crypto.processor_acts': 'none', 'crypto.payout': 'done' });
  for (let look = 0; ; look++) {
    psp.advance(look < LOOKS_MAX / 2 ? 20_000 : 11 * MINUTE_MS);
    await work();
    const { rows } = await psp.pool.query<{ count: string }>(UNDERWAY);
    if (Number(rows[0]?.count) === 0) break;
    if (look === LOOKS_MAX) throw new Error(`${rows[0]?.count} do not come to an end.`);
  }
  // The sweep of the night, and that of the week.
  for (const days of [1, 8]) {
    psp.advance(days * DAY_MS);
    await work();
  }
}

/** Every movement at the PSP that our books lack. */
const HOMELESS = `SELECT 'payment ' || p.end_to_end_id AS movement FROM sandbox.payments p
  WHERE NOT EXISTS (SELECT FROM transactions x WHERE x.end_to_end_id = p.end_to_end_id)
    AND NOT EXISTS (SELECT FROM unmatched_payments u WHERE u.end_to_end_id = p.end_to_end_id)
    AND NOT EXISTS (SELECT FROM reviews r WHERE r.end_to_end_id = p.end_to_end_id)
  UNION ALL
  SELECT 'devolução ' || r.return_id FROM sandbox.refunds r WHERE r.status = 'DEVOLVIDO'
    AND NOT EXISTS (SELECT FROM refunds o WHERE replace(o.id::text, '-', '') = r.id AND o.status = 'completed')
    AND NOT EXISTS (SELECT FROM payment_returns o WHERE replace(o.id::text, '-', '') = r.id AND o.status = 'completed')
    AND NOT EXISTS (SELECT FROM foreign_refunds o WHERE (o.end_to_end_id, o.refund_id) = (r.end_to_end_id, r.id))
  UNION ALL
  SELECT 'payout ' || s.end_to_end_id FROM sandbox.payouts s WHERE s.status = 'REALIZADO'
    AND NOT EXISTS (SELECT FROM transactions x WHERE replace(x.id::text, '-', '') = s.id_envio AND x.status = 'paid')
    AND NOT EXISTS (SELECT FROM foreign_payouts f WHERE f.end_to_end_id = s.end_to_end_id)`;

/** Every dispute at the PSP whose state differs in our books. */
const ASTRAY = `SELECT 'case of ' || d.end_to_end_id || ', ' || d.status || ' at the PSP and here '
    || coalesce(o.state::text, 'not there') AS movement
  FROM sandbox.disputes d JOIN transactions x ON x.end_to_end_id = d.end_to_end_id
  LEFT JOIN disputes o ON o.provider_id = d.id
  WHERE x.status IN ('paid', 'refunded') AND CASE d.status WHEN 'ACEITA' THEN o.state IN ('lost', 'returned')
    WHEN 'REJEITADA' THEN o.state IN ('won', 'returned') WHEN 'CANCELADA_EFI' THEN o.state IN ('cancelled', 'returned')
    END IS NOT true`;

const SETTLEMENT = `SELECT -coalesce(sum(e.amount_centavos), 0)::bigint AS centavos FROM ledger_entries e
  JOIN ledger_accounts a ON a.id = e.ledger_account_id WHERE a.kind = 'pix_settlement'`;
const AT_PSP = `SELECT ((SELECT coalesce(sum(amount_centavos), 0) FROM sandbox.payments)
  - (SELECT coalesce(sum(amount_centavos), 0) FROM sandbox.refunds WHERE status = 'DEVOLVIDO')
  - (SELECT coalesce(sum(amount_centavos), 0) FROM sandbox.payouts WHERE status = 'REALIZADO'))::bigint AS centavos`;

/** The differences between the PSP's books and ours, and the errors within ours. */
async function findDifferences(): Promise<string[]> {
  const { rows: homeless } = await psp.pool.query<{ movement: string }>(HOMELESS);
  const { rows: astray } = await psp.pool.query<{ movement: string }>(ASTRAY);
  const [ours, theirs] = await Promise.all(
    [SETTLEMENT, AT_PSP].map(async (sql) => (await psp.pool.query<{ centavos: string }>(sql)).rows[0]?.centavos),
  );
  const { rows: negative } = await psp.pool.query<{ id: string }>(
    "SELECT id FROM ledger_accounts WHERE balance_centavos < 0 AND kind <> 'owed'",
  );
  const { discrepancies } = await checkLedger(psp.service().deps.db.pool);
  return [
    ...homeless.map(({ movement }) => `${movement} has no place in our books`),
    ...astray.map(({ movement }) => movement),
    ...(ours === theirs ? [] : [`our books have ${Number(ours) - Number(theirs)} more than the PSP's`]),
    ...negative.map(({ id }) => `ledger account ${id} is below zero`),
    ...discrepancies.map(({ rule, detail }) => `${rule}: ${detail}`),
  ];
}

/**
 * Has the service compare all days, and today up to now. Returns where they differ, and how many
 * are explained by another day.
 */
async function reconcile(): Promise<{ differing: string[]; explained: number; sentInCoins: boolean }> {
  const { deps } = psp.service();
  await planReconciliation(deps);
  // Days that were missed are compared one a minute.
  psp.advance(20 * MINUTE_MS);
  await work();
  psp.advance(1_000);
  const today = dateInSaoPaulo(psp.now());
  await requestReconciliation(deps, { day: today, rail: null });
  await work();
  const days = await listReconciliation(deps, { accountId: null });
  const yesterday = dateInSaoPaulo(new Date(psp.now().getTime() - DAY_MS));
  const differing: string[] = [];
  for (const { id, currency, day, checkedAt, unexplainedAmount, unreadable } of days) {
    // Yesterday is compared at half past three.
    if (!checkedAt && day === yesterday) continue;
    if (checkedAt && unexplainedAmount === 0n && unreadable === 0) continue;
    const items = (await listDayItems(deps, { dayId: id, accountId: null })).filter((one) => one.unexplainedAmount);
    differing.push(
      [
        `${day}${currency === 'BRL' ? '' : ` in ${currency}`}`,
        ...items.map(({ why, kind, key }) => `${why}: ${kind} ${key}`),
      ].join(', '),
    );
  }
  const pix = days.find(({ currency }) => currency === 'BRL');
  if (pix?.theirs.closingAmount !== pix?.ours.closingAmount) differing.push('the closings of today');
  const explained = days.filter((one) => one.explainedAmount !== 0n).length;
  return { differing, explained, sentInCoins: days.some((one) => one.oursCentavos && one.oursCentavos.sent > 0n) };
}

/** What waits for somebody, by kind, with its money. */
async function waiting(): Promise<{ kind: string; count: string }[]> {
  const { rows } = await psp.pool.query<{ kind: string; count: string }>(
    `SELECT 'unmatched' AS kind, count(*) FROM unmatched_payments WHERE state IN ('open', 'returning') HAVING count(*) > 0
     UNION ALL SELECT 'sent at the bank', count(*) FROM foreign_payouts WHERE state = 'open' HAVING count(*) > 0
     UNION ALL SELECT 'review', count(*) FROM reviews WHERE resolved_at IS NULL HAVING count(*) > 0`,
  );
  return rows;
}

/** An operator decides about everything that waits, one way or another. */
async function decideAll(accountId: string, picks: readonly number[], seen: Set<string>): Promise<void> {
  const { deps } = psp.service();
  const by = byOperator('maria');
  const reason = 'as agreed';
  let next = 0;
  const pick = <T>(of: readonly T[]): T => of[(picks[next++ % picks.length] ?? 0) % of.length] as T;
  for (const { id } of await listUnmatchedPayments(deps, { waiting: true, accountId: null })) {
    const decision = { id, accountId: null, reason, by };
    const { rows } = await psp.pool.query<{ id: string }>(
      "SELECT id FROM transactions WHERE account_id = $1 AND type = 'pix_in' AND status IN ('pending', 'expired', 'cancelled')",
      [accountId],
    );
    const how = pick(rows[0] ? ['assign', 'deposit', 'return'] : ['deposit', 'return']);
    if (how === 'assign') {
      expect(await assignPayment(deps, { ...decision, chargeId: rows[0]?.id ?? '' })).toBe('assigned');
    } else if (how === 'deposit') {
      expect(await depositPayment(deps, { ...decision, toAccountId: accountId })).toBe('deposited');
    } else expect(await returnPayment(deps, decision)).toBe('returning');
    seen.add(how);
  }
  for (const { id } of await listAllForeignPayouts(deps, { waiting: true, accountId: null })) {
    const how = pick(['write off', 'charge']);
    if (how === 'charge') {
      const decision = { id, accountId: null, toAccountId: accountId, reason, by };
      expect(await chargePayout(deps, decision)).toBe('charged');
    } else expect(await writeOffPayout(deps, { id, reason, by })).toBe('written_off');
    seen.add(how);
  }
  for (const { id } of await listAllReviews(deps, { waiting: true })) {
    const review = (await listAllReviews(deps, { waiting: true })).find((one) => one.id === id);
    if (!review) continue;
    expect(review.resolutions).not.toEqual([]);
    const outcome = await resolveReview(deps, { id, resolution: pick(review.resolutions), reason, by });
    expect(['credited', 'returning', 'written_off', 'resolved']).toContain(outcome);
    seen.add('review');
  }
}

async function owing(): Promise<{ kind: string }[]> {
  const { rows } = await psp.pool.query<{ kind: string }>(
    `SELECT DISTINCT kind::text FROM ledger_accounts WHERE kind = 'owed' AND balance_centavos < 0
     UNION ALL SELECT DISTINCT 'case ' || state FROM disputes WHERE provider_id IS NOT NULL`,
  );
  return rows;
}
