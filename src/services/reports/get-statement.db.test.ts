import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { DISORDER_MS } from '#db/reports/statement.ts';
import {
  fund,
  insertTransaction,
  openTestAccount,
  type TestAccount,
  type TestTransaction,
} from '#db/testing/ledger-fixture.ts';
import { isInsufficientFunds, post, postCryptoReceived, postPart, postPartEnd } from '#db/testing/postings.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { sealTransactionText } from '#db/transactions/transaction-texts.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { STATEMENT_BALANCES, type StatementBalance } from '#domain/reports/statement-entry.ts';
import { addDays, dayOf } from '#domain/reports/statement-period.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { assertProperty } from '#testing/assert-property.ts';
import { getStatementPage, openStatementFile, type StatementEntry } from './get-statement.ts';

const RUNS = 10;
const STEPS_MAX = 45;
/** Small, so that most histories have several pages. */
const PAGE = 7;
/** 20:00 in São Paulo: a few steps on, it is midnight. */
const BEGIN = new Date('2026-11-18T23:00:00.000Z');
const FIRST_DAY = '2026-11-18';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('opening + movements = closing, for any history, any period, page by page and in files', async () => {
  const seen = new Set<string>();
  await assertProperty(
    [history(DISORDER_MS)],
    async (steps) => {
      const account = await make(steps);
      for (const balance of STATEMENT_BALANCES) {
        const entries = await ledgerOf(account, balance);
        for (const { name } of await fileOf(account, balance, FIRST_DAY, addDays(FIRST_DAY, 30))) seen.add(name);
        for (const [from, to] of periodsOf(entries)) await expectStatement(account, balance, entries, from, to);
      }
    },
    { numRuns: RUNS, examples: [[EVERY_ACTION]] },
  );
  // Histories in which charges are paid and nothing else would prove little.
  expect(seen.size).toBeGreaterThan(10);
});

test('a statement adds up even where the clocks of machines were wrong by days', async () => {
  await assertProperty(
    [history(3 * 86_400_000)],
    async (steps) => {
      const account = await make(steps);
      const last = addDays(FIRST_DAY, 20);
      for (const balance of STATEMENT_BALANCES) {
        const all = await fileOf(account, balance, addDays(FIRST_DAY, -5), last);
        expect(all).toHaveLength((await ledgerOf(account, balance)).length);
        const versions: bigint[] = [];
        let opening = 0n;
        for (let day = addDays(FIRST_DAY, -5); day <= last; day = addDays(day, 1)) {
          const { summary } = await pageOf(account, balance, day, day);
          expect(summary?.openingCentavos).toBe(opening);
          expect(opening + (summary?.creditCentavos ?? 0n) + (summary?.debitCentavos ?? 0n)).toBe(
            summary?.closingCentavos,
          );
          versions.push(...(await pagesOf(account, balance, day, day)).map(({ version }) => version));
          opening = summary?.closingCentavos ?? 0n;
        }
        expect(versions).toEqual(all.map(({ version }) => version));
      }
    },
    { numRuns: 5 },
  );
});

describe('a statement', () => {
  it('of an account without entries is zero before and after', async () => {
    const account = await openTestAccount(db.pool, 'test');
    expect(await pageOf(account, 'available', FIRST_DAY, FIRST_DAY)).toEqual({
      summary: { openingCentavos: 0n, creditCentavos: 0n, debitCentavos: 0n, closingCentavos: 0n, entries: 0 },
      entries: [],
      nextCursor: null,
    });
  });

  it('shows the amount of a share of another account’s charge, and nothing else of the charge', async () => {
    const [seller, partner] = [await openTestAccount(db.pool, 'test'), await openTestAccount(db.pool, 'test')];
    const charge = await insertTransaction(db.pool, {
      account: seller,
      amountCentavos: 1_000n,
      feeCentavos: 11n,
      split: { account: partner, centavos: 300n },
    });
    const { id } = charge;
    await db.pool.query('UPDATE transactions SET customer_name = $2, description = $3 WHERE id = $1', [
      id,
      sealTransactionText(secretBox, id, 'customerName', 'Maria'),
      sealTransactionText(secretBox, id, 'description', 'Bolo'),
    ]);
    await post(db.pool, 'charge_paid', charge.id, BEGIN);
    expect((await pageOf(partner, 'available', FIRST_DAY, FIRST_DAY)).entries).toEqual([
      expect.objectContaining({
        name: 'split_received',
        centavos: 300n,
        transactionId: null,
        customerName: null,
        description: null,
        feeCentavos: 0n,
      }),
    ]);
    expect((await pageOf(seller, 'available', FIRST_DAY, FIRST_DAY)).entries).toEqual([
      expect.objectContaining({
        name: 'pix_received',
        centavos: 689n,
        transactionId: charge.id,
        customerName: 'Maria',
        feeCentavos: 11n,
      }),
    ]);
  });

  it('names where a withdrawal goes, people’s numbers masked, as the list of transactions does', async () => {
    const account = await openTestAccount(db.pool, 'test');
    await fund(db.pool, account, 1_000n);
    const pix = await insertTransaction(db.pool, { account, type: 'pix_out', amountCentavos: 100n });
    await sealKey(pix.id, '12345678909', 'cpf');
    const crypto = await insertTransaction(db.pool, { account, type: 'crypto_out', amountCentavos: 100n });
    for (const { id } of [pix, crypto]) await post(db.pool, 'withdrawal_requested', id, BEGIN);
    const { entries } = await pageOf(account, 'blocked', FIRST_DAY, FIRST_DAY);
    expect(entries.map(({ destination }) => destination)).toEqual(['0x0', '***.456.789-**']);
  });

  it('has an entry that is a little older than the one before it on the day of that one', async () => {
    const account = await openTestAccount(db.pool, 'test');
    const midnight = Date.parse('2026-11-19T03:00:00.000Z');
    const late = Array.from({ length: 30 }, (_, index) => -DISORDER_MS + 2_000 + index * 1_000);
    for (const ms of [-2_000, -1_000, 500, ...late, 1_000]) {
      const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n });
      await post(db.pool, 'charge_paid', id, new Date(midnight + ms));
    }
    const versions = async (day: string) =>
      (await pagesOf(account, 'available', day, day)).map(({ version }) => version);
    expect(await versions('2026-11-18')).toEqual([1n, 2n]);
    expect(await versions('2026-11-19')).toEqual(Array.from({ length: 32 }, (_, index) => BigInt(index + 3)));
    const days = (await pagesOf(account, 'available', '2026-11-18', '2026-11-19')).map(({ day }) => day);
    expect(days).toEqual(['2026-11-18', '2026-11-18', ...Array(32).fill('2026-11-19')]);
  });
});

const secretBox = createSecretBox(generateMasterKeys());

/** Gives a withdrawal its key, as the service stores it. */
const sealKey = (id: string, key: string, type: string) =>
  db.pool.query('UPDATE transactions SET pix_key = $2, pix_key_type = $3 WHERE id = $1', [
    id,
    secretBox.seal(key, sealContext('transactions.pix_key', { id })),
    type,
  ]);

const pageOf = (
  account: TestAccount,
  balance: StatementBalance,
  from: string,
  to: string,
  cursor: bigint | null = null,
) => getStatementPage({ db, secretBox }, account.id, { balance, from, to, cursor }, PAGE);

/** All pages, oldest first. */
async function pagesOf(account: TestAccount, balance: StatementBalance, from: string, to: string) {
  const entries: StatementEntry[] = [];
  for (let cursor: bigint | null = null; ; ) {
    const page = await pageOf(account, balance, from, to, cursor);
    expect(page.summary === null).toBe(cursor !== null);
    entries.push(...page.entries);
    if (page.nextCursor === null) return entries.reverse();
    expect(page.entries).toHaveLength(PAGE);
    cursor = page.nextCursor;
  }
}

async function fileOf(account: TestAccount, balance: StatementBalance, from: string, to: string) {
  const file = await openStatementFile({ db, secretBox }, account.id, { balance, from, to });
  const entries: StatementEntry[] = [];
  for await (const chunk of file.chunks()) entries.push(...chunk);
  expect(entries).toHaveLength(file.entries);
  const moved = entries.reduce((sum, { centavos }) => sum + centavos, 0n);
  expect(file.openingCentavos + moved).toBe(file.closingCentavos);
  return entries;
}

type LedgerRow = { version: bigint; centavos: bigint; day: string };

/**
 * The entries of the ledger, with their day by the rule of statements: that of the latest instant
 * so far.
 */
async function ledgerOf(account: TestAccount, balance: StatementBalance): Promise<LedgerRow[]> {
  const { rows } = await db.pool.query<{ version: bigint; centavos: bigint; at: Date }>(
    `SELECT e.version, e.amount_centavos AS centavos, t.created_at AS at
     FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id JOIN ledger_transfers t ON t.id = e.transfer_id
     WHERE a.account_id = $1 AND a.kind = $2::ledger_account_kind ORDER BY e.version`,
    [account.id, balance],
  );
  let latest = 0;
  return rows.map(({ version, centavos, at }) => {
    latest = Math.max(latest, at.getTime());
    return { version, centavos, day: dayOf(new Date(latest)) };
  });
}

/** Every period from one of a history's days to another, and some that reach beyond it. */
function periodsOf(entries: readonly LedgerRow[]): [from: string, to: string][] {
  const days = [...new Set(entries.map(({ day }) => day)), addDays(FIRST_DAY, -1), addDays(FIRST_DAY, 30)].sort();
  return days.flatMap((from, index) => days.slice(index).map((to): [string, string] => [from, to]));
}

async function expectStatement(
  account: TestAccount,
  balance: StatementBalance,
  all: readonly LedgerRow[],
  from: string,
  to: string,
) {
  const inside = all.filter(({ day }) => day >= from && day <= to);
  const sum = (entries: readonly { centavos: bigint }[]) =>
    entries.reduce((total, { centavos }) => total + centavos, 0n);
  const opening = sum(all.filter(({ day }) => day < from));
  const { summary } = await pageOf(account, balance, from, to);
  expect(summary).toEqual({
    openingCentavos: opening,
    creditCentavos: sum(inside.filter(({ centavos }) => centavos > 0n)),
    debitCentavos: sum(inside.filter(({ centavos }) => centavos < 0n)),
    closingCentavos: opening + sum(inside),
    entries: inside.length,
  });
  const pages = await pagesOf(account, balance, from, to);
  expect(pages.map(({ version, centavos, day }) => ({ version, centavos, day }))).toEqual(inside);
  let balanceSoFar = opening;
  for (const { centavos, balanceAfterCentavos } of pages) {
    balanceSoFar += centavos;
    expect(balanceAfterCentavos).toBe(balanceSoFar);
  }
  expect(await fileOf(account, balance, from, to)).toEqual(pages);
}

type Step = {
  do: (typeof ACTS)[number];
  centavos: bigint;
  percent: number;
  ago: number;
  afterMs: number;
  lateMs: number;
};
const ACTS = [
  'charge',
  'charge',
  'charge',
  'withdraw',
  'withdraw',
  'end',
  'fail',
  'refund',
  'refund done',
  'refund failed',
  'dispute',
  'crypto',
  'crypto more',
] as const;

/**
 * Steps of a business, hours apart or at once, each entered with an instant up to `disorderMs`
 * older than its turn.
 */
const history = (disorderMs: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.noBias(
      fc.record({
        do: fc.constantFrom(...ACTS),
        centavos: fc.bigInt(1n, 5_000n),
        percent: fc.integer({ min: 0, max: 100 }),
        ago: fc.nat({ max: 3 }),
        afterMs: fc.oneof(fc.constant(0), fc.nat({ max: 60_000 }), fc.nat({ max: 5 * 3_600_000 })),
        lateMs: fc.oneof(fc.constant(0), fc.nat({ max: disorderMs })),
      }),
    ),
    { minLength: 1, maxLength: STEPS_MAX, size: 'max' },
  );

/** Every action, at least once: chance alone leaves some of them out of ten histories. */
const EVERY_ACTION: Step[] = (
  [
    ...(['charge', 'refund', 'refund done', 'charge', 'refund', 'refund failed', 'charge', 'dispute'] as const),
    ...(['charge', 'withdraw', 'end', 'withdraw', 'fail', 'crypto', 'crypto more'] as const),
  ] as const
).map((action, at) => ({
  do: action,
  centavos: action === 'charge' || action === 'crypto' ? 5_000n : 100n,
  percent: at < 10 ? 1 : 50,
  ago: 0,
  afterMs: 60_000,
  lateMs: 0,
}));

/** Makes a history through the ledger's own functions. Steps that they reject are left out. */
async function make(steps: readonly Step[]): Promise<TestAccount> {
  const account = await openTestAccount(db.pool, 'test');
  const charges: { id: string; refund: string }[] = [];
  const withdrawals: string[] = [];
  const deposits: { transaction: TestTransaction; received: bigint }[] = [];
  let turn = BEGIN.getTime();
  for (const step of steps) {
    turn += step.afterMs;
    const now = new Date(turn - step.lateMs);
    const pick = <T>(list: readonly T[]) => list.at(-1 - (step.ago % Math.max(list.length, 1)));
    await act(step, now, pick).catch((error: { code?: string }) => {
      if (!isInsufficientFunds(error) && !/^TR00[45]$/.test(error.code ?? '')) throw error;
    });
  }
  return account;

  async function act(step: Step, now: Date, pick: <T>(list: readonly T[]) => T | undefined): Promise<unknown> {
    const { centavos, percent } = step;
    const feeCentavos = (centavos * BigInt(percent)) / 100n;
    const charge = pick(charges);
    const withdrawal = pick(withdrawals);
    switch (step.do) {
      case 'charge': {
        const { id } = await insertTransaction(db.pool, { account, amountCentavos: centavos, feeCentavos });
        charges.push({ id, refund: uuidv7(now) });
        return post(db.pool, 'charge_paid', id, now);
      }
      case 'withdraw': {
        const type = percent % 2 ? 'pix_out' : 'crypto_out';
        const { id } = await insertTransaction(db.pool, { account, type, amountCentavos: centavos, feeCentavos });
        if (type === 'pix_out') await sealKey(id, 'p@example.com', 'email');
        await post(db.pool, 'withdrawal_requested', id, now);
        return withdrawals.push(id);
      }
      case 'end':
        return withdrawal && post(db.pool, 'withdrawal_completed', withdrawal, now);
      case 'fail':
        return withdrawal && post(db.pool, 'withdrawal_failed', withdrawal, now);
      case 'refund':
        return (
          charge &&
          postPart(db.pool, 'refund_requested', { transactionId: charge.id, reference: charge.refund, centavos, now })
        );
      case 'refund done':
      case 'refund failed': {
        const posting = step.do === 'refund done' ? 'refund_completed' : 'refund_failed';
        return charge && postPartEnd(db.pool, posting, { transactionId: charge.id, reference: charge.refund, now });
      }
      case 'dispute':
        return charge && postPart(db.pool, 'dispute', { transactionId: charge.id, reference: 'MED', centavos, now });
      case 'crypto': {
        const transaction = await insertTransaction(db.pool, {
          account,
          type: 'crypto_in',
          amountCentavos: centavos,
          feeCentavos,
        });
        deposits.push({ transaction, received: 0n });
        return postCryptoReceived(db.pool, {
          transactionId: transaction.id,
          pendingCentavos: centavos,
          netCentavos: 0n,
          feeCentavos: 0n,
          now,
        });
      }
      case 'crypto more': {
        const deposit = pick(deposits);
        if (!deposit) return;
        const { id: transactionId, netCentavos, feeCentavos } = deposit.transaction;
        // Dropped by the chain, or final.
        const amounts = percent < 20 ? { netCentavos: 0n, feeCentavos: 0n } : { netCentavos, feeCentavos };
        return postCryptoReceived(db.pool, { transactionId, pendingCentavos: 0n, ...amounts, now });
      }
    }
  }
}
