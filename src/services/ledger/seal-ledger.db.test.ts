import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { closeDay, findDayWithoutHead, type SealingStep, sealTransfers } from '#db/ledger/ledger-seals.ts';
import { PROOF_RULES } from '#db/ledger/proof-rules.ts';
import { fillLedger } from '#db/testing/ledger-discrepancies.ts';
import { insertTransaction, NOW, openTestAccount, type TestAccount } from '#db/testing/ledger-fixture.ts';
import { post } from '#db/testing/postings.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { verifyProof } from '#domain/ledger/verify-proof.ts';
import { createMetrics } from '#server/observability/metrics.ts';
import { sealFully } from '#testing/seal-fully.ts';
import { getUnsealedAge } from './get-unsealed-age.ts';
import { openProof } from './open-proof.ts';

const DAY_MS = 24 * 3_600_000;
const TODAY = '2026-11-21';
/** How many sessions post at the same time, and how many transfers each of them. */
const POSTERS = 6;
const POSTINGS_EACH = 25;

let database: TestDatabase;
/** The role that serves. */
let db: Database;
let owner: Database;
let account: TestAccount;
let now: Date;
const secretBox = createSecretBox(generateMasterKeys());
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  owner = openDatabase(database.ownerUrl);
  account = await openTestAccount(owner.pool, 'live');
  now = NOW;
});
afterEach(async () => {
  await db.close();
  await owner.close();
  await database.drop();
});

const seal = () => sealFully({ db, secretBox, clock: () => now });

/** Posts a paid charge at this instant, in any session. */
async function earn(centavos: bigint, instant = now, session: pg.Pool | pg.Client = owner.pool): Promise<void> {
  const { id } = await insertTransaction(owner.pool, { account, amountCentavos: centavos });
  await post(session as pg.Pool, 'charge_paid', id, instant);
}

/** Posts a paid charge of another account, whose test clock is a month ahead. */
async function earnAhead(): Promise<void> {
  const ahead = await openTestAccount(owner.pool, 'test');
  const clock = [ahead.id, 30 * DAY_MS, now];
  await owner.pool.query('INSERT INTO test_clocks (account_id, ahead_ms, moved_at) VALUES ($1, $2, $3)', clock);
  const { id } = await insertTransaction(owner.pool, { account: ahead, amountCentavos: 5n });
  await post(owner.pool, 'charge_paid', id, new Date(now.getTime() + 30 * DAY_MS));
}

/** The account's seals, by day. */
async function sealed(): Promise<string[]> {
  const { rows } = await owner.pool.query<{ text: string }>(
    `SELECT s.day || ': ' || s.version || ' entries, ' || s.balance_centavos AS text
     FROM ledger_seals s JOIN ledger_accounts a ON a.id = s.ledger_account_id
     WHERE a.account_id = $1 ORDER BY s.day, s.version`,
    [account.id],
  );
  return rows.map(({ text }) => text);
}

async function heads(): Promise<string[]> {
  const { rows } = await owner.pool.query<{ text: string }>(
    `SELECT day || ': ' || leaves AS text FROM ledger_heads ORDER BY day`,
  );
  return rows.map(({ text }) => text);
}

/** How many ledger accounts have entries that are not sealed. */
async function unsealedEntries(): Promise<number> {
  const { rows } = await owner.pool.query<{ missing: bigint }>(
    `SELECT count(*) AS missing FROM ledger_accounts a WHERE a.id > 0 AND a.version <>
      (SELECT coalesce(max(s.version), 0) FROM ledger_seals s WHERE s.ledger_account_id = a.id)`,
  );
  return Number(rows[0]?.missing);
}

async function proofDiscrepancies() {
  const { discrepancies } = await checkLedger(owner.pool);
  return discrepancies.filter(({ rule }) => PROOF_RULES.some((one) => one.rule === rule));
}

/** Functions that write transfers without taking a transaction's number first. */
async function writersWithoutNumber(): Promise<string[]> {
  const { rows } = await owner.pool.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      AND prosrc ~ 'INSERT INTO ledger_transfers' AND prosrc !~ '(PERFORM|:=) pg_current_xact_id.*INSERT INTO ledger_transfers'`,
  );
  return rows.map(({ name }) => name);
}

describe('the sealer', () => {
  it('puts every entry into a chain, and signs a head when the day is over', async () => {
    await fillLedger(owner.pool);
    await earn(700n);
    await seal();
    expect([await sealed(), await heads(), await unsealedEntries()]).toEqual([[`${TODAY}: 1 entries, 700`], [], 0]);

    await earn(30n);
    await seal();
    now = new Date(NOW.getTime() + DAY_MS);
    await earn(1n);
    await seal();
    expect(await sealed()).toEqual([
      `${TODAY}: 1 entries, 700`,
      `${TODAY}: 2 entries, 730`,
      '2026-11-22: 3 entries, 731',
    ]);
    // Four accounts, and the platform in both modes.
    expect(await heads()).toEqual([`${TODAY}: 6`]);
  });

  it('signs the heads of days on which it did not run, each with the leaves of that day', async () => {
    await earn(700n);
    const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
    await earn(30n, later(1));
    await earn(1n, later(3));
    now = later(4);
    await seal();
    expect(await sealed()).toEqual([
      `${TODAY}: 1 entries, 700`,
      '2026-11-22: 2 entries, 730',
      '2026-11-24: 3 entries, 731',
    ]);
    expect(await heads()).toEqual([`${TODAY}: 2`, '2026-11-22: 2', '2026-11-23: 2', '2026-11-24: 2']);
  });

  it('ends no day by what an account posts whose test clock is ahead', async () => {
    await earn(700n);
    await earnAhead();
    await earn(30n);
    now = new Date(now.getTime() + DAY_MS);
    await earn(1n);
    await seal();
    expect(await sealed()).toEqual([`${TODAY}: 2 entries, 730`, '2026-11-22: 3 entries, 731']);
    expect(await proofDiscrepancies()).toEqual([]);
  });

  it('writes a head for the day that waits for it alone, once, after the head before it', async () => {
    await earn(700n);
    const sign = (day: string, previous: string | null) => {
      const hash = day.replaceAll('-', '').repeat(8);
      return closeDay(db.pool, { day, previous, leaves: 2, root: hash, hash, publicKey: hash, signature: hash, now });
    };
    const bring = async (to: SealingStep) => {
      while ((await sealTransfers(db.pool, now, 1_000)) !== to);
    };
    await bring('done');
    expect(await sign(TODAY, null), 'the day is not over').toBe(false);
    now = new Date(NOW.getTime() + 2 * DAY_MS);
    await bring('day_over');
    // What commits until the head is signed is of the next day.
    await earn(30n, NOW);
    for (let tries = 0; tries < 4; tries++) expect(await sealTransfers(db.pool, now, 1_000)).toBe('day_over');
    expect([await sign('2026-11-20', null), await sign('2026-11-22', null)]).toEqual([false, false]);
    expect([await sign(TODAY, 'ab'), await heads()]).toEqual([false, []]);
    expect([await sign(TODAY, null), await sign(TODAY, null)]).toEqual([true, false]);
    await bring('day_over');
    expect([await sign('2026-11-22', null), await sign('2026-11-22', 'ab')]).toEqual([false, false]);
    expect(await sign('2026-11-22', '20261121'.repeat(8))).toBe(true);
    expect(await heads()).toEqual([`${TODAY}: 2`, '2026-11-22: 2']);
    expect(await sealed()).toEqual([`${TODAY}: 1 entries, 700`, '2026-11-22: 2 entries, 730']);
  });

  it('does nothing while another session is at it, nor do the sealers of the audit and of totals', async () => {
    const [holder, other] = [0, 1].map(
      () => new pg.Client({ connectionString: database.ownerUrl, options: '-c lock_timeout=1000' }),
    );
    if (!holder || !other) throw new Error('No clients.');
    await Promise.all([holder.connect(), other.connect()]);
    await earn(700n);
    try {
      await holder.query(
        'BEGIN; SELECT FROM ledger_sealing, audit_sealing, totals_progress FOR UPDATE OF ledger_sealing, audit_sealing, totals_progress',
      );
      const { rows } = await other.query(
        `SELECT proof_seal($1, 10) AS proof, audit_seal(10) AS audit, totals_seal($1, interval '1 day') AS totals`,
        [now],
      );
      expect(rows).toEqual([{ proof: 'busy', audit: 'busy', totals: 'busy' }]);
    } finally {
      await Promise.all([holder.end(), other.end()]);
    }
  });

  it('waits for a transfer with a lower id that is not committed', async () => {
    const slow = new pg.Client({ connectionString: database.ownerUrl });
    await slow.connect();
    const other = await openTestAccount(owner.pool, 'live');
    const { id } = await insertTransaction(owner.pool, { account: other, amountCentavos: 5n });
    await slow.query('BEGIN');
    await post(slow as unknown as pg.Pool, 'charge_paid', id, NOW);
    await earn(700n);
    for (let tries = 0; tries < 5; tries++) expect(await sealTransfers(db.pool, now, 1_000)).toBe('waiting');
    expect(await sealed()).toEqual([]);
    await slow.query('COMMIT');
    await slow.end();
    await seal();
    expect([await sealed(), await unsealedEntries()]).toEqual([[`${TODAY}: 1 entries, 700`], 0]);
  });

  it('waits for a transfer that began after the sealer’s transaction and has a lower id than one that it saw', async () => {
    const [sealer, slow] = [database.url, database.ownerUrl].map((url) => new pg.Client({ connectionString: url }));
    if (!sealer || !slow) throw new Error('No clients.');
    await Promise.all([sealer.connect(), slow.connect()]);
    await seal();
    const other = await openTestAccount(owner.pool, 'live');
    const { id } = await insertTransaction(owner.pool, { account: other, amountCentavos: 5n });
    // The sealer has its number; then another takes a later number and an id, and a third commits.
    await sealer.query('BEGIN');
    await sealer.query('SELECT pg_current_xact_id()');
    await slow.query('BEGIN');
    await post(slow as unknown as pg.Pool, 'charge_paid', id, NOW);
    await earn(700n);
    await sealTransfers(sealer as unknown as pg.Pool, now, 1_000);
    await sealer.query('COMMIT');
    for (let tries = 0; tries < 5; tries++) expect(await sealTransfers(db.pool, now, 1_000)).toBe('waiting');
    await slow.query('COMMIT');
    await Promise.all([sealer.end(), slow.end()]);
    await seal();
    expect([await unsealedEntries(), await proofDiscrepancies()]).toEqual([0, []]);
  });

  it('leaves nothing out while many sessions post and two seal a few transfers at a time', async () => {
    const accounts = await Promise.all(Array.from({ length: 3 }, () => openTestAccount(owner.pool, 'live')));
    let posting = POSTERS;
    const earnSome = async (poster: number) => {
      for (let n = 0; n < POSTINGS_EACH; n++) {
        const [account = accounts[0], receiver] = [accounts[n % 3], accounts[(n + poster) % 3]];
        const split = receiver && receiver !== account ? { account: receiver, centavos: 3n } : null;
        const input = { account: account as TestAccount, amountCentavos: 10n, feeCentavos: 1n, split };
        const { id } = await insertTransaction(owner.pool, input);
        await post(owner.pool, 'charge_paid', id, now);
      }
      posting--;
    };
    const sealSome = async () => {
      while (posting > 0) await sealTransfers(db.pool, now, 3);
    };
    await Promise.all([...Array.from({ length: POSTERS }, (_, poster) => earnSome(poster)), sealSome(), sealSome()]);
    await seal();
    expect(await unsealedEntries()).toBe(0);
    expect(await proofDiscrepancies()).toEqual([]);
  });

  it('seals what an account owes, and money that belongs to no account yet', async () => {
    await earn(700n);
    await owner.pool.query(
      `SELECT ledger_foreign_refund(x, 'r', 1000, 0, $2) FROM transactions x WHERE account_id = $1`,
      [account.id, now],
    );
    await owner.pool.query(`SELECT ledger_post_unmatched('unmatched', 'line\nbreak', $1, '{-1,-4}', '{-5,5}')`, [now]);
    await seal();
    now = new Date(NOW.getTime() + DAY_MS);
    await seal();
    expect(await proofDiscrepancies()).toEqual([]);
    let text = '';
    for await (const piece of (await openProof({ db }, account.id))?.pieces() ?? []) text += piece;
    expect(await verifyProof(JSON.parse(text))).toMatchObject({
      issue: null,
      balances: { available: 0, pending: 0, blocked: 0, owed: -300 },
    });
  });

  it('can rely on it that every posting function takes a transaction’s number before a transfer’s id', async () => {
    expect(await writersWithoutNumber()).toEqual([]);
    await owner.pool.query(`CREATE FUNCTION planted() RETURNS void LANGUAGE sql AS
      $$ INSERT INTO ledger_transfers (kind, reference, created_at) VALUES ('x', 'x', now()) $$`);
    expect(await writersWithoutNumber()).toEqual(['planted']);
  });

  it('reports the age of the oldest transfer that is not sealed', async () => {
    expect(await getUnsealedAge({ db, clock: () => now })).toBe(0);
    await earn(700n);
    await earn(30n, new Date(NOW.getTime() + 5_000));
    now = new Date(NOW.getTime() + 60_000);
    expect(await getUnsealedAge({ db, clock: () => now })).toBe(60);
    const text = await createMetrics({ db, clock: () => now }).render();
    expect(text.text).toContain('trilho_ledger_unsealed_seconds 60\n');
    await seal();
    expect(await getUnsealedAge({ db, clock: () => now })).toBe(0);
  });

  it('reports that age also where what an account posted ahead by its test clock comes first', async () => {
    await earnAhead();
    await earn(700n);
    now = new Date(NOW.getTime() + 60_000);
    expect(await getUnsealedAge({ db, clock: () => now })).toBe(60);
    await seal();
    await earnAhead();
    expect(await getUnsealedAge({ db, clock: () => now })).toBe(0);
  });

  it('continues where another one stopped, a transfer at a time', async () => {
    await fillLedger(owner.pool);
    for (let step = ''; step !== 'done'; ) {
      step = await sealTransfers(db.pool, now, 1);
      // The server may run transactions of other tests, too.
      if (step === 'waiting') await sleep(1);
    }
    expect(await unsealedEntries()).toBe(0);

    now = new Date(NOW.getTime() + DAY_MS);
    for (let step = ''; step !== 'day_over'; ) step = await sealTransfers(db.pool, now, 1);
    expect([await findDayWithoutHead(db.pool), await heads()]).toEqual([TODAY, []]);
    await Promise.all([seal(), seal(), seal()]);
    expect([await findDayWithoutHead(db.pool), (await heads()).length]).toEqual([null, 1]);
  });

  it('continues in a restored database that has the barrier of another server', async () => {
    await earn(700n);
    expect(await sealTransfers(db.pool, now, 1_000)).toBe('waiting');
    await owner.pool.query('UPDATE ledger_sealing SET barrier = 9000000000000');
    await seal();
    expect(await sealed()).toEqual([`${TODAY}: 1 entries, 700`]);
  });

  it('alone writes chains, seals and heads: the service can’t, and not even the owner of the tables can change them', async () => {
    await earn(700n);
    await seal();
    now = new Date(NOW.getTime() + DAY_MS);
    await seal();
    for (const table of ['ledger_chains', 'ledger_seals', 'ledger_heads', 'ledger_sealing'])
      await expect(db.pool.query(`INSERT INTO ${table} SELECT * FROM ${table}`)).rejects.toMatchObject({
        code: '42501',
      });
    for (const table of ['ledger_chains', 'ledger_seals', 'ledger_heads'])
      for (const sql of [`DELETE FROM ${table}`, `UPDATE ${table} SET day = day`, `TRUNCATE ${table} CASCADE`])
        await expect(owner.pool.query(sql)).rejects.toMatchObject({ code: 'TR001' });
    await expect(db.pool.query("SELECT ledger_seal_transfers(0, 1, '2026-11-21')")).rejects.toMatchObject({
      code: '42501',
    });
  });
});
