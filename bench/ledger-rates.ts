import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { withClient } from '#db/connection/with-client.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { payCharge } from '#db/ledger/ledger.ts';
import { connectionsBeneath, shareConnections } from '#db/tasks/lanes.ts';
import {
  fund,
  insertTransaction,
  newEndToEndId,
  openTestAccount,
  type TestAccount,
} from '#db/testing/ledger-fixture.ts';
import { NO_ACTOR, newPixOut } from '#db/testing/ledger-withdrawals.ts';
import { copyTemplate, startTestServer } from '#db/testing/test-server.ts';
import { requestWithdrawal } from '#db/withdrawals/withdrawals.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { limitPeriods } from '#services/withdrawals/withdrawal-terms.ts';
import { DATABASE_CONNECTIONS_DEFAULT } from '../src/config/environment.ts';
import { assertBalanced } from './assert-balanced.ts';
import { median } from './measure.ts';

/** The web process requests withdrawals, the worker settles charges: what each has for that. */
const WEB_CONNECTIONS = shareConnections(DATABASE_CONNECTIONS_DEFAULT, {
  web: true,
  worker: false,
  sandbox: false,
}).writes;
const WORKER_CONNECTIONS = connectionsBeneath(DATABASE_CONNECTIONS_DEFAULT);
/** How many accounts a spread load takes in turn. */
const ACCOUNTS = 20;
export const LEDGER_ROUNDS = 5;
/** How often one operation runs in a round: for about a second. */
const OPERATIONS = 3_000;
/** More than all withdrawals together take. */
const FUNDS_CENTAVOS = 1_000_000_000_00n;
/** pgbench's scale: so many branches, tellers and accounts for each unit of it. */
const TPC_B = { tellers: 10, accounts: 100_000 };

export type LedgerRate = {
  name: string;
  /** On which both sides work at once. */
  connections: number;
  /** Operations a second, medians of the rounds. */
  perSecond: number;
  /** TPC-B as pgbench sends it, statement by statement. */
  tpcBPerSecond: number;
  /** TPC-B in one call of a function. */
  tpcBCallPerSecond: number;
  /** Median of the rounds' ratios to TPC-B, statement by statement. */
  ratio: number;
  /** The last round's rate over the first's: whether the rate falls with time. */
  lastOverFirst: number;
  /** Null: there is no figure to reach. */
  wanted: number | null;
};

type Subjects = { accounts: readonly TestAccount[]; branches: number };
type Operation = {
  name: string;
  /** As many as the process that runs it has by default. */
  connections: number;
  wanted: number | null;
  /** Makes what the operations of a round work on, outside the measured time. */
  prepare(db: pg.Pool, accounts: readonly TestAccount[]): Promise<(index: number) => Promise<unknown>>;
};

/**
 * Measures how many of the ledger's statements run in a second over one account and over twenty,
 * beside TPC-B (three updates, a read and an insert in a transaction) on the same server by the
 * same client. Ends with the ledger check.
 */
export async function measureLedger(progress: (text: string) => void): Promise<LedgerRate[]> {
  const server = await startTestServer();
  try {
    const database = await copyTemplate(server);
    const db = openDatabase(database.url, { max: DATABASE_CONNECTIONS_DEFAULT });
    try {
      await createTpcB(database.ownerUrl);
      const rates: LedgerRate[] = [];
      for (const [where, subjects] of [
        ['spread', { accounts: await openAccounts(db, ACCOUNTS), branches: ACCOUNTS }],
        ['one account', { accounts: await openAccounts(db, 1), branches: 1 }],
      ] as const) {
        for (const operation of OPERATIONS_OF_THE_LEDGER) {
          // The more processes of PostgreSQL share a core, the less of each is in its caches.
          for (const connections of [operation.connections, DATABASE_CONNECTIONS_DEFAULT]) {
            progress(`Measuring: ${operation.name}, ${where}, ${connections} connections`);
            const rate = await compareWithTpcB(db, { ...operation, connections }, subjects);
            const wanted = connections === operation.connections ? operation.wanted : null;
            rates.push({ ...rate, name: `${operation.name}, ${where}`, connections, wanted });
          }
        }
      }
      assertBalanced(await checkLedger(db.pool));
      return rates;
    } finally {
      await db.close();
    }
  } finally {
    await server.stop();
  }
}

const OPERATIONS_OF_THE_LEDGER: readonly Operation[] = [
  {
    name: 'withdrawal requested',
    connections: WEB_CONNECTIONS,
    wanted: null,
    prepare: async (db, accounts) => (index) => {
      const now = new Date();
      const withdrawal = {
        ...newPixOut(of(accounts, index), { id: uuidv7(now), amountCentavos: 100n, now }),
        ...TEXTS,
      };
      return requestWithdrawal(db, withdrawal, limitPeriods(now), NO_ACTOR);
    },
  },
  {
    name: 'charge settled',
    connections: WORKER_CONNECTIONS,
    wanted: 0.5,
    async prepare(db, accounts) {
      const ids: string[] = [];
      await inParallel(OPERATIONS, DATABASE_CONNECTIONS_DEFAULT, async (index) => {
        ids[index] = (await insertTransaction(db, { account: of(accounts, index), amountCentavos: 149_90n })).id;
      });
      return (index) => {
        const now = new Date();
        return payCharge(db, {
          id: ids[index] ?? '',
          from: 'pending',
          endToEndId: newEndToEndId(),
          paidAt: now,
          now,
          eventId: uuidv7(now),
          eventBody: EVENT_BODY,
          split: null,
        });
      };
    },
  },
];

/** Texts as long as those of an ordinary shop, sealed. */
const TEXTS = {
  description: randomBytes(60).toString('base64'),
  searchTokens: Array.from({ length: 8 }, () => randomBytes(8).readBigInt64BE()),
};
const EVENT_BODY = JSON.stringify({ type: 'pix_in.paid', data: randomBytes(300).toString('hex') });

async function compareWithTpcB(db: Database, operation: Operation, { accounts, branches }: Subjects) {
  const rounds: { own: number; tpcB: number; tpcBCall: number }[] = [];
  // The first round warms everything up.
  for (let round = 0; round <= LEDGER_ROUNDS; round++) {
    const own = await operation.prepare(db.pool, accounts);
    const rate = { own: 0, tpcB: 0, tpcBCall: 0 };
    const sides = [
      ['own', own],
      ['tpcB', (index: number) => tpcBStatements(db.pool, tpcBValues(index, branches))],
      ['tpcBCall', (index: number) => tpcBCall(db.pool, tpcBValues(index, branches))],
    ] as const;
    for (const [side, run] of round % 2 === 0 ? sides : sides.toReversed()) {
      const start = performance.now();
      await inParallel(OPERATIONS, operation.connections, run);
      rate[side] = OPERATIONS / ((performance.now() - start) / 1000);
    }
    if (round > 0) rounds.push(rate);
  }
  return {
    perSecond: median(rounds.map(({ own }) => own)),
    tpcBPerSecond: median(rounds.map(({ tpcB }) => tpcB)),
    tpcBCallPerSecond: median(rounds.map(({ tpcBCall }) => tpcBCall)),
    ratio: median(rounds.map(({ own, tpcB }) => own / tpcB)),
    lastOverFirst: (rounds.at(-1)?.own ?? Number.NaN) / (rounds[0]?.own ?? Number.NaN),
  };
}

type TpcBValues = { account: number; teller: number; branch: number; delta: number };

const tpcBValues = (index: number, branches: number): TpcBValues => ({
  account: 1 + Math.floor(Math.random() * TPC_B.accounts),
  teller: 1 + (index % (branches * TPC_B.tellers)),
  branch: 1 + (index % branches),
  delta: 100,
});

const tpcBCall = (db: pg.Pool, { account, teller, branch, delta }: TpcBValues) =>
  db.query({ name: 'tpc-b', text: 'SELECT tpc_b($1, $2, $3, $4)', values: [account, teller, branch, delta] });

async function tpcBStatements(db: pg.Pool, { account, teller, branch, delta }: TpcBValues): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('BEGIN');
    for (const [name, text, values] of [
      ['tpc-b-1', 'UPDATE tpc_b_accounts SET abalance = abalance + $1 WHERE aid = $2', [delta, account]],
      ['tpc-b-2', 'SELECT abalance FROM tpc_b_accounts WHERE aid = $1', [account]],
      ['tpc-b-3', 'UPDATE tpc_b_tellers SET tbalance = tbalance + $1 WHERE tid = $2', [delta, teller]],
      ['tpc-b-4', 'UPDATE tpc_b_branches SET bbalance = bbalance + $1 WHERE bid = $2', [delta, branch]],
      [
        'tpc-b-5',
        'INSERT INTO tpc_b_history (tid, bid, aid, delta, mtime) VALUES ($1, $2, $3, $4, CURRENT_TIMESTAMP)',
        [teller, branch, account, delta],
      ],
    ] as const) {
      await client.query({ name, text, values: [...values] });
    }
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

async function inParallel(count: number, width: number, run: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let index = next++; index < count; index = next++) await run(index);
    }),
  );
}

const of = (accounts: readonly TestAccount[], index: number): TestAccount =>
  accounts[index % accounts.length] as TestAccount;

async function openAccounts(db: Database, count: number): Promise<TestAccount[]> {
  const accounts: TestAccount[] = [];
  for (let made = 0; made < count; made++) {
    const account = await openTestAccount(db.pool, 'test');
    await fund(db.pool, account, FUNDS_CENTAVOS);
    accounts.push(account);
  }
  return accounts;
}

/** PostgreSQL's manual, pgbench, "What is the transaction actually performed": TPC-B (sort of). */
const createTpcB = (ownerUrl: string) =>
  withClient(ownerUrl, (owner) =>
    owner.query(`
      CREATE TABLE tpc_b_accounts (aid int PRIMARY KEY, bid int, abalance int, filler char(84)) WITH (fillfactor = 100);
      CREATE TABLE tpc_b_tellers (tid int PRIMARY KEY, bid int, tbalance int, filler char(84));
      CREATE TABLE tpc_b_branches (bid int PRIMARY KEY, bbalance int, filler char(88));
      CREATE TABLE tpc_b_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
      INSERT INTO tpc_b_accounts SELECT n, 1, 0, '' FROM generate_series(1, ${TPC_B.accounts}) AS n;
      INSERT INTO tpc_b_tellers SELECT n, 1, 0, '' FROM generate_series(1, ${TPC_B.tellers * ACCOUNTS}) AS n;
      INSERT INTO tpc_b_branches SELECT n, 0, '' FROM generate_series(1, ${ACCOUNTS}) AS n;
      CREATE FUNCTION tpc_b(p_aid int, p_tid int, p_bid int, p_delta int) RETURNS int LANGUAGE plpgsql AS $$
      DECLARE
        v_balance int;
      BEGIN
        UPDATE tpc_b_accounts SET abalance = abalance + p_delta WHERE aid = p_aid;
        SELECT abalance INTO v_balance FROM tpc_b_accounts WHERE aid = p_aid;
        UPDATE tpc_b_tellers SET tbalance = tbalance + p_delta WHERE tid = p_tid;
        UPDATE tpc_b_branches SET bbalance = bbalance + p_delta WHERE bid = p_bid;
        INSERT INTO tpc_b_history (tid, bid, aid, delta, mtime)
        VALUES (p_tid, p_bid, p_aid, p_delta, CURRENT_TIMESTAMP);
        RETURN v_balance;
      END $$;
      GRANT ALL ON tpc_b_accounts, tpc_b_tellers, tpc_b_branches, tpc_b_history TO PUBLIC;
      ANALYZE tpc_b_accounts`),
  );
