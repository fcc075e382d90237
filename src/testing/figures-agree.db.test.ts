import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { NOW, openTestAccount } from '#db/testing/ledger-fixture.ts';
import { OVERVIEW_PERIODS } from '#domain/reports/overview-period.ts';
import { addDays, dayOf } from '#domain/reports/statement-period.ts';
import { sealEndedHours } from '#jobs/seal-ended-hours.ts';
import { assertProperty } from './assert-property.ts';
import { createMoneyHistory, type MoneyStep, someMoneyStep, type Tally } from './money-history.ts';
import { panelCaller } from './panel-caller.ts';
import { type Readings, readMoney } from './read-money.ts';
import { startTestService, type TestService } from './test-service.ts';

/**
 * Whatever happens to an account: overview, list, files, statement and balances show the same
 * figures, to the centavo.
 */

const RUNS = 12;
const STEPS_MAX = 25;
const MINUTE_MS = 60_000;

let trilho: TestService;
let owner: Database;
let now = NOW;
beforeAll(async () => {
  // Without a worker: the history is written by the test alone.
  trilho = await startTestService({ clock: () => now, variables: { ROLE: 'web' } });
  owner = openDatabase(trilho.ownerUrl);
});
afterAll(async () => {
  await owner.close();
  await trilho.stop();
});

/** Carries the steps out on a new account, and reads every figure of it. */
async function live(steps: readonly MoneyStep[]) {
  now = NOW;
  const [account, other] = [await openTestAccount(owner.pool, 'live'), await openTestAccount(owner.pool, 'live')];
  const history = createMoneyHistory({
    db: owner.pool,
    account,
    other,
    now: () => now,
    sealPixKey: (id) => trilho.deps.secretBox.seal('maria@example.com', sealContext('transactions.pix_key', { id })),
  });
  for (const step of steps) {
    now = new Date(now.getTime() + step.afterMinutes * MINUTE_MS);
    await history.happens(step);
    // The clock goes back to the beginning for each history: most of what happens is later than the
    // hours that the one before it had sealed.
    await sealEndedHours(trilho.deps);
  }
  const today = dayOf(now);
  const read = (period: '7d' | '90d', days: number) =>
    readMoney(trilho.deps, account.id, period, { from: addDays(today, 1 - days), to: today });
  await expectSameWithoutTotals(account.id);
  return { tally: history.tally, whole: await read('90d', 90), week: await read('7d', 7) };
}

/** The figures that are read with totals equal those of the transfers alone. */
async function expectSameWithoutTotals(accountId: string) {
  const panel = await panelCaller(trilho.deps, accountId);
  const read = () => Promise.all(OVERVIEW_PERIODS.map((period) => panel.overview.get({ period })));
  const summed = await read();
  const { rows } = await owner.pool.query('SELECT sealed_until FROM totals_progress');
  await owner.pool.query('UPDATE totals_progress SET sealed_until = NULL');
  const plain = await read();
  await owner.pool.query('UPDATE totals_progress SET sealed_until = $1', [rows[0]?.sealed_until]);
  expect(summed).toEqual(plain);
}

test('overview, list, files, statements and balances agree to the centavo after any history', async () => {
  let planted = false;
  await assertProperty(
    [fc.array(someMoneyStep, { minLength: 1, maxLength: STEPS_MAX, size: 'max' })],
    async (steps) => {
      const { tally, whole, week } = await live(steps);
      expect(disagreements(whole, tally)).toEqual([]);
      expect(disagreements(week, null)).toEqual([]);
      if (planted || tally.owedMost > 0n || zeroesOf(tally).length > 0) return;
      planted = true;
      expectEachPlantedErrorFound(whole, tally);
    },
    { numRuns: RUNS },
  );
  expect((await checkLedger(owner.pool)).discrepancies).toEqual([]);
});

test('planted: an error of one centavo in any reader is found', async () => {
  const common = { afterMinutes: 60, percent: 10 };
  const { tally, whole, week } = await live([
    { ...common, do: 'charge', fate: 'pay', amount: 100_000n, splitPercent: 20, isMine: true },
    { ...common, do: 'charge', fate: 'pay', amount: 90_000n, splitPercent: 50, isMine: false },
    { ...common, do: 'charge', fate: 'expire', amount: 7_000n, splitPercent: null, isMine: true },
    { ...common, do: 'invoice', fate: 'credit', amount: 96_000n, arrivedPercent: 130 },
    { ...common, do: 'invoice', fate: 'see', amount: 50_000n, arrivedPercent: 50 },
    { ...common, do: 'refund', fate: 'complete', amount: 1n, ago: 0 },
    { ...common, do: 'withdraw', type: 'pix_out', fate: 'complete', amount: 90n },
    { ...common, do: 'withdraw', type: 'crypto_out', fate: 'complete, then review', amount: 90n },
    { ...common, do: 'withdraw', type: 'pix_out', fate: 'fail', amount: 91n },
    { ...common, do: 'withdraw', type: 'pix_out', fate: 'hold', amount: 92n },
  ]);
  expect(zeroesOf(tally)).toEqual([]);
  expect(disagreements(whole, tally)).toEqual([]);
  expect(disagreements(week, null)).toEqual([]);
  expectEachPlantedErrorFound(whole, tally);
  expect(whole.list).toMatchObject({ in: 265_300n });
});

/**
 * The sums that a history left at zero. Without what is owed: an account that owes has nothing
 * available.
 */
const zeroesOf = (tally: Tally): string[] =>
  Object.entries(tally).flatMap(([name, centavos]) => (centavos === 0n && !name.startsWith('owed') ? [name] : []));

test('money that went back at the bank after it was spent is owed, and every figure says so', async () => {
  const common = { afterMinutes: 60, percent: 90, amount: 100_000n };
  const steps: MoneyStep[] = [
    { ...common, do: 'charge', fate: 'pay', percent: 1, splitPercent: null, isMine: true },
    { ...common, do: 'withdraw', type: 'pix_out', fate: 'complete' },
    { ...common, do: 'refund at the bank', isWhole: false, ago: 0 },
  ];
  const owing = await live(steps);
  expect(owing.tally).toMatchObject({ available: 0n, refunded: 90_000n });
  expect(owing.tally.owed).toBeGreaterThan(70_000n);
  expect(disagreements(owing.whole, owing.tally)).toEqual([]);
  const paid = await live([
    ...steps,
    { ...common, do: 'charge', fate: 'pay', percent: 1, splitPercent: null, isMine: true },
  ]);
  expect(paid.tally.owed).toBe(0n);
  expect(disagreements(paid.whole, paid.tally)).toEqual([]);
  expect(disagreements(paid.week, null)).toEqual([]);
});

test('a deposit that pays what is owed is credited once, in however many parts it comes', async () => {
  const common = { afterMinutes: 60, percent: 90, amount: 100_000n };
  const deposit = { ...common, do: 'invoice' as const, percent: 1, arrivedPercent: 50 };
  const { tally, whole } = await live([
    { ...common, do: 'charge', fate: 'pay', percent: 1, splitPercent: null, isMine: true },
    { ...common, do: 'withdraw', type: 'pix_out', fate: 'complete' },
    { ...common, do: 'refund at the bank', isWhole: false, ago: 0 },
    { ...deposit, fate: 'credit twice' },
  ]);
  expect(tally).toMatchObject({ owed: 0n, received: 99_000n + 1_000n + 50_000n + 100_001n });
  expect(disagreements(whole, tally)).toEqual([]);
  expect((await checkLedger(owner.pool)).discrepancies).toEqual([]);
});

/** Raises each figure of each reader by a centavo, in turn: each error has to be found. */
function expectEachPlantedErrorFound(readings: Readings, tally: Tally) {
  for (const [reader, figures] of Object.entries(readings)) {
    for (const [name, centavos] of Object.entries(figures)) {
      const wrong = { ...readings, [reader]: { ...figures, [name]: centavos + 1n } };
      expect([reader, name, disagreements(wrong, tally).length]).not.toEqual([reader, name, 0]);
    }
  }
}

/** Compares each figure with what it has to be; `tally` is known for a whole history only. */
function disagreements(readings: Readings, tally: Tally | null): string[] {
  const at = (reader: string, figure: string): bigint => {
    const found = readings[reader]?.[figure];
    if (found === undefined) throw new Error(`${reader} did not read ${figure}.`);
    return found;
  };
  const found: string[] = [];
  const same = (what: string, a: bigint, b: bigint) => {
    if (a !== b) found.push(`${what}: ${a} is not ${b}`);
  };
  const overview = readings.overview ?? {};
  const o = (figure: string) => at('overview', figure);

  let opening = 0n;
  let closing = 0n;
  for (const balance of ['available', 'pending', 'blocked'] as const) {
    const [page, csv, ofx] = [`statement, ${balance}`, `statement.csv, ${balance}`, `statement.ofx, ${balance}`];
    same(`${balance}: overview and balance`, at('overview, balances', balance), at('balance', balance));
    same(`${balance}: statement and balance`, at(page, 'closing'), at('balance', balance));
    same(`${balance}: opening + moved and closing`, at(page, 'opening') + at(page, 'moved'), at(page, 'closing'));
    same(`${balance}: CSV and statement`, at(csv, 'moved'), at(page, 'moved'));
    same(`${balance}: CSV and statement, fees`, at(csv, 'fees'), at(page, 'fees'));
    same(`${balance}: OFX and statement`, at(ofx, 'moved'), at(page, 'moved'));
    same(`${balance}: OFX's balance`, at(ofx, 'closing'), at(page, 'closing'));
    if (tally) same(`${balance}: what happened and balance`, tally[balance], at('balance', balance));
    opening += at(page, 'opening');
    closing += at(page, 'closing');
  }
  same('owed: overview and balance', at('overview, balances', 'owed'), at('balance', 'owed'));
  same('owed: ledger and balance', at('owed', 'closing'), at('balance', 'owed'));
  if (tally) same('owed: what happened and balance', tally.owed, at('balance', 'owed'));
  same('opening: overview and statements', o('opening'), opening - at('owed', 'opening'));
  same('closing: overview and statements', o('closing'), closing - at('owed', 'closing'));
  const change =
    o('received') + o('splitsReceived') - o('splitsGiven') - o('fees') - o('sent') - o('refunded') + o('pendingChange');
  same('overview: opening + its lines and closing', o('opening') + change, o('closing'));
  same('overview: chart and received', o('chart'), o('received'));
  same('pending: overview and statement', o('pendingChange'), at('statement, pending', 'moved'));
  same('pending: no fee', at('statement, pending', 'fees'), 0n);

  const files = ['transactions.csv', 'transactions.csv, for Excel'] as const;
  const excel = { gross: 'Valor', fees: 'Taxa', split: 'Divisão', refunded: 'Estornado', net: 'Líquido' } as const;
  for (const [name, title] of Object.entries(excel)) {
    same(`list and CSV: ${name}`, at(files[0], name), at('list', name));
    same(`list and CSV for Excel: ${name}`, at(files[1], title), at('list', name));
  }
  same('CSV: what was asked for has the sign of what moved', at(files[0], 'other signs'), 0n);
  const l = (figure: string) => at('list', figure);
  same('list: in and out and gross', l('in') + l('out'), l('gross'));
  same('list: net', l('gross') - l('fees') - l('split') - l('refunded'), l('net'));
  same('details and list: net', at('detail', 'lines'), l('net'));

  if (!tally) return found;
  for (const name of ['received', 'splitsReceived', 'splitsGiven', 'fees', 'sent', 'refunded'] as const)
    same(`what happened and overview: ${name}`, tally[name], overview[name] ?? -1n);
  same('list and overview: received', l('in'), o('received') + o('splitsReceived'));
  same('list and overview: sent', -l('out'), o('sent'));
  same('list and overview: fees', l('fees'), o('fees'));
  same('list and overview: splits', l('split'), o('splitsGiven'));
  same('list and overview: refunded', l('refunded'), o('refunded'));
  const own = at('balance', 'available') + at('balance', 'blocked') - at('balance', 'owed');
  same('list and balances', l('net'), own);
  // A receipt that pays what is owed with all of it has no line among what is available.
  if (tally.owedMost === 0n)
    same('statement and overview: fees', at('statement, available', 'fees') - tally.heldFees, o('fees'));
  return found;
}
