import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../connection/database.ts';
import { checkLedger } from '../ledger/check-ledger.ts';
import { insertTransaction, openTestAccount, type TestAccount } from '../testing/ledger-fixture.ts';
import { post } from '../testing/postings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { sumMovements } from './overview.ts';
import { type SealStep, sealTotals } from './seal-totals.ts';

const at = (time: string) => new Date(`2026-11-20T${time}:00.000Z`);
/** São Paulo's day begins. */
const DAY = at('03:00');
const NEXT_DAY = new Date(DAY.getTime() + 24 * 3_600_000);
const NEXT_DAY_END = new Date(NEXT_DAY.getTime() + 24 * 3_600_000);

let database: TestDatabase;
let db: Database;
let service: Database;
let account: TestAccount;
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl);
  service = openDatabase(database.url);
  account = await openTestAccount(db.pool, 'test');
});
afterEach(async () => {
  await service.close();
  await db.close();
  await database.drop();
});

/** A charge made and paid at this instant, by whichever session. */
async function earn(centavos: bigint, instant: Date, session: pg.Pool | pg.Client = db.pool): Promise<string> {
  const { id } = await insertTransaction(db.pool, { account, amountCentavos: centavos });
  await db.pool.query('UPDATE transactions SET created_at = $2, updated_at = $2 WHERE id = $1', [id, instant]);
  await session.query("UPDATE transactions SET status = 'paid', paid_at = $2 WHERE id = $1", [id, instant]);
  await post(session as pg.Pool, 'charge_paid', id, instant);
  return id;
}

const step = (until: Date) => sealTotals(service.pool, until, 24);

/** The first step that does not wait: transactions of other tests on the same server hold it up. */
async function stepAfterWaiting(): Promise<SealStep> {
  for (;;) {
    const done = await step(NEXT_DAY);
    if (done !== 'waiting') return done;
  }
}

async function seal(until: Date): Promise<void> {
  for (let done: SealStep = 'closed'; done !== 'done'; ) done = await step(until);
}

/** What the overview reads of both days, by kind. */
async function earned() {
  const span = { bounds: [DAY, NEXT_DAY], unit: 'day', parts: [{ start: DAY, end: null, hasOutcomes: true }] } as const;
  const { groups = [], outcomes = [] } = (await sumMovements(service.pool, account.id, span)) ?? {};
  const sum = (step: number) => groups.filter((group) => group.step === step).map(({ grossCentavos }) => grossCentavos);
  return { first: sum(1), second: sum(2), paid: outcomes.reduce((all, { count }) => all + count, 0) };
}

async function totals(condition = 'true'): Promise<number> {
  const { rowCount } = await db.pool.query(`SELECT FROM account_totals WHERE ${condition}`);
  return rowCount ?? 0;
}

async function sealedUntil(): Promise<Date> {
  const { rows } = await db.pool.query<{ until: Date | null }>('SELECT sealed_until AS until FROM totals_progress');
  return rows[0]?.until ?? new Date(0);
}

const discrepancies = async () => (await checkLedger(db.pool)).discrepancies;

describe('the totals of hours and days', () => {
  it('of a day that is sealed are read in place of its transfers', async () => {
    await earn(100n, at('12:10'));
    await earn(20n, at('12:50'));
    await earn(3n, at('15:00'));
    await seal(NEXT_DAY);
    expect([await totals(`unit = 'hour'`), await totals(`unit = 'day'`)]).toEqual([4, 2]);
    expect(await earned()).toEqual({ first: [123n], second: [], paid: 3 });
    expect(await discrepancies()).toEqual([]);

    await db.pool.query(`UPDATE account_totals SET gross_centavos = 5 WHERE unit = 'day' AND kind = 'pix_in'`);
    expect(await earned()).toMatchObject({ first: [5n] });
    expect(await discrepancies()).toEqual([
      {
        rule: 'every total of an hour or a day is what its transfers and charges come to',
        detail: expect.stringContaining(`account ${account.id}: the day from`),
      },
    ]);
  });

  it('include what is posted and what ends after its hour was sealed', async () => {
    await earn(100n, at('12:10'));
    const { id: expiring } = await insertTransaction(db.pool, { account, amountCentavos: 50n });
    await db.pool.query('UPDATE transactions SET created_at = $2 WHERE id = $1', [expiring, at('12:20')]);
    await seal(NEXT_DAY);
    await earn(7n, at('12:30'));
    await db.pool.query(`UPDATE transactions SET status = 'expired' WHERE id = $1`, [expiring]);
    expect(await totals('is_late')).toBe(6);
    expect(await earned()).toEqual({ first: [107n], second: [], paid: 3 });
    expect(await discrepancies()).toEqual([]);

    await db.pool.query(`UPDATE transactions SET status = 'paid' WHERE id = $1`, [expiring]);
    await post(db.pool, 'charge_paid', expiring, NEXT_DAY);
    expect(await earned()).toEqual({ first: [107n], second: [50n], paid: 3 });
    expect(await step(NEXT_DAY)).toBe('merged');
    expect([await step(NEXT_DAY), await totals('is_late')]).toEqual(['done', 0]);
    expect(await earned()).toEqual({ first: [107n], second: [50n], paid: 3 });
    expect(await discrepancies()).toEqual([]);
  });

  it('include a charge that is paid by a clock that was set back to before the charge was made', async () => {
    await earn(1n, at('11:10'));
    await seal(at('12:00'));
    const { id } = await insertTransaction(db.pool, { account, amountCentavos: 20n });
    await db.pool.query('UPDATE transactions SET created_at = $2, updated_at = $2 WHERE id = $1', [id, at('12:10')]);
    const paid = `UPDATE transactions SET status = 'paid', paid_at = $2, updated_at = $2 WHERE id = $1`;
    await db.pool.query(paid, [id, at('11:50')]);
    await post(db.pool, 'charge_paid', id, at('11:50'));
    expect(await earned()).toEqual({ first: [21n], second: [], paid: 2 });
    await seal(NEXT_DAY);
    expect(await earned()).toEqual({ first: [21n], second: [], paid: 2 });
    expect(await discrepancies()).toEqual([]);
  });

  it('wait for a transaction that began before its hour was closed', async () => {
    const slow = new pg.Client({ connectionString: database.ownerUrl });
    await slow.connect();
    await slow.query('BEGIN');
    await earn(100n, at('12:10'), slow);
    expect([await step(NEXT_DAY), await step(NEXT_DAY), await step(NEXT_DAY), await step(NEXT_DAY)]).toEqual([
      'closed',
      'waiting',
      'waiting',
      'waiting',
    ]);
    expect(await totals()).toBe(0);
    await slow.query('COMMIT');
    await slow.end();
    await seal(NEXT_DAY);
    expect(await totals('is_late')).toBe(0);
    expect(await earned()).toEqual({ first: [100n], second: [], paid: 1 });
    expect(await discrepancies()).toEqual([]);
  });

  it('include exactly once what commits while they are made', async () => {
    const slow = new pg.Client({ connectionString: database.ownerUrl });
    await slow.connect();
    expect([await step(NEXT_DAY), await step(NEXT_DAY)]).toEqual(['closed', 'waiting']);
    await earn(20n, at('12:10'));
    await slow.query('BEGIN');
    await earn(100n, at('12:10'), slow);
    expect(await stepAfterWaiting()).toBe('sealed');
    await slow.query('COMMIT');
    await slow.end();
    expect(await earned()).toEqual({ first: [120n], second: [], paid: 2 });
    expect(await discrepancies()).toEqual([]);
  });

  it('count once what ended after the span that is sealed, and what came late into a day that is sealed in parts', async () => {
    await earn(1n, at('08:10'));
    await earn(20n, at('15:00'));
    await earn(300n, NEXT_DAY);
    const partly = (hours: number) => sealTotals(service.pool, NEXT_DAY_END, hours);
    while ((await sealedUntil()) < at('15:00')) await partly(12);
    expect(await sealedUntil()).toEqual(at('15:00'));
    await earn(4_000n, at('08:40'));
    await earn(50_000n, at('15:20'));
    for (let done: SealStep = 'sealed'; done !== 'done'; ) done = await partly(24);
    expect(await earned()).toEqual({ first: [54_021n], second: [300n], paid: 5 });
    // Later hours are sealed before what came late was merged.
    await earn(600_000n, at('08:50'));
    const last = new Date(NEXT_DAY_END.getTime() + 3_600_000);
    await seal(last);
    expect(await sealedUntil()).toEqual(last);
    expect(await earned()).toEqual({ first: [654_021n], second: [300n], paid: 6 });
    expect(await discrepancies()).toEqual([]);
  });

  it('are made again where a restored database has the barrier of another server', async () => {
    await earn(100n, at('12:10'));
    expect([await step(NEXT_DAY), await step(NEXT_DAY)]).toEqual(['closed', 'waiting']);
    await db.pool.query('UPDATE totals_progress SET barrier = 9000000000000');
    expect([await step(NEXT_DAY), await stepAfterWaiting()]).toEqual(['waiting', 'sealed']);
  });

  it('can’t be written by the service', async () => {
    for (const sql of ['INSERT INTO account_totals DEFAULT VALUES', 'UPDATE totals_progress SET sealed_until = now()'])
      await expect(service.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
    await expect(service.pool.query(`SELECT ledger_write_totals(now(), now())`)).rejects.toMatchObject({
      code: '42501',
    });
  });
});
