import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { payCharge } from '#db/ledger/ledger.ts';
import { fillLedger, plantDiscrepancy } from '#db/testing/ledger-discrepancies.ts';
import {
  insertTransaction,
  NOW,
  newEndToEndId,
  openTestAccount,
  type TestAccount,
} from '#db/testing/ledger-fixture.ts';
import { post } from '#db/testing/postings.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { type ProofFile, type ProofIssue, verifyProof } from '#domain/ledger/verify-proof.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { sealFully } from '#testing/seal-fully.ts';
import { openProof } from './open-proof.ts';

const VERIFY_PY = join(import.meta.dirname, '../../../docs/verify.py');
const TODAY = '2026-11-21';
/** The account's part of another account's charge, in centavos: an amount that occurs once. */
const PART = 13;
const DAY_MS = 24 * 3_600_000;
/** Why the script can't be run; null: it can. */
const MISSING = findMissing();

function findMissing(): string | null {
  try {
    execFileSync('python3', ['-c', 'import cryptography'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'python3, or its package "cryptography", is missing';
  }
}

let database: TestDatabase;
let db: Database;
let owner: Database;
let accountId: string;
/** The account's row for its part of another account's charge. */
let partId: string;
let now = NOW;
let folder: string;
const seal = () => sealFully({ db, secretBox: SECRET_BOX, clock: () => now });
const SECRET_BOX = createSecretBox(generateMasterKeys());
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trilho-proof-'));
  database = await createTestDatabase();
  db = openDatabase(database.url);
  owner = openDatabase(database.ownerUrl);
  const { account } = await fillLedger(owner.pool);
  accountId = String(account);
  await seal();
  now = new Date(NOW.getTime() + DAY_MS);
  const { id } = await insertTransaction(owner.pool, {
    account: { id: accountId, mode: 'live' },
    amountCentavos: 700n,
  });
  await post(owner.pool, 'charge_paid', id, now);
  partId = await receivePart({ id: accountId, mode: 'live' });
  await seal();
  now = new Date(NOW.getTime() + 2 * DAY_MS);
  await seal();
});
afterAll(async () => {
  await db.close();
  await owner.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Pays another account's charge with a split; returns the id of the receiver's part. */
async function receivePart(receiver: TestAccount): Promise<string> {
  const split = { account: receiver, centavos: BigInt(PART) };
  const payee = await openTestAccount(owner.pool, 'live');
  const { id } = await insertTransaction(owner.pool, { account: payee, amountCentavos: 100n, split });
  const part = { id: uuidv7(now), eventId: uuidv7(now), eventBody: '{}' };
  await payCharge(owner.pool, {
    ...{ id, from: 'pending', endToEndId: newEndToEndId(), paidAt: now, now },
    ...{ eventId: uuidv7(now), eventBody: '{}', split: part },
  });
  return part.id;
}

async function textOf(day?: string): Promise<string> {
  const proof = await openProof({ db }, accountId, day);
  let text = '';
  for await (const piece of proof?.pieces() ?? []) text += piece;
  return text;
}

const fileOf = async (day?: string) => JSON.parse(await textOf(day)) as ProofFile;

/** The issue that the verifier reports in a changed copy of the proof. */
const issueOf = async (change: (file: ProofFile) => object): Promise<ProofIssue | null> => {
  const file = await fileOf();
  return (await verifyProof({ ...file, ...change(file) })).issue;
};

describe('the proof of an account', () => {
  it('has its entries up to the end of a day, and proves the balances', async () => {
    const { balances, day } = await fileOf();
    const { rows } = await db.pool.query<{ kind: string; centavos: bigint; version: bigint }>(
      'SELECT kind, balance_centavos AS centavos, version FROM ledger_accounts WHERE account_id = $1',
      [accountId],
    );
    expect(balances).toEqual(Object.fromEntries(rows.map(({ kind, centavos }) => [kind, Number(centavos)])));
    expect(day).toBe('2026-11-22');
    const result = await verifyProof(await fileOf());
    expect(result).toMatchObject({ issue: null, balances });
    expect(result.entries).toBe(rows.reduce((sum, { version }) => sum + Number(version), 0));

    const before = await verifyProof(await fileOf(TODAY));
    expect(before).toMatchObject({ issue: null, entries: result.entries - 2 });
    expect(before.balances.available).toBe((balances.available ?? 0) - 700 - PART);
  });

  it('of a day without a head is that of the last day with one, and there is none before the first', async () => {
    expect((await fileOf('2026-12-31')).day).toBe('2026-11-22');
    expect(await openProof({ db }, accountId, '2026-11-20')).toBeNull();
    expect(await openProof({ db }, '00000000-0000-7000-8000-000000000000')).toBeNull();
  });

  it('has nothing of other accounts but hashes', async () => {
    const text = await textOf();
    const { rows } = await db.pool.query<{ id: string }>(
      `SELECT id FROM accounts WHERE id <> $1 UNION ALL SELECT id FROM transactions WHERE account_id <> $1`,
      [accountId],
    );
    expect(rows.length).toBeGreaterThan(4);
    for (const { id } of rows) expect(text).not.toContain(id);
    const { entries } = JSON.parse(text) as ProofFile;
    const { rows: own } = await db.pool.query<{ entries: bigint }>(
      `SELECT count(*) AS entries FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id
       WHERE a.account_id = $1`,
      [accountId],
    );
    expect(entries).toHaveLength(Number(own[0]?.entries));
    expect(entries.find(({ amount }) => amount === PART)?.transaction).toBe(partId);
  });

  it('is rejected without its newest entries, without a day, or with another account’s id', async () => {
    expect(await issueOf(({ entries, balances }) => ({ entries: entries.slice(0, -1), balances }))).toMatchObject({
      part: 'balance',
    });
    expect(
      await issueOf(({ entries, balances }) => {
        const last = entries.at(-1);
        const left = entries.slice(0, -1);
        const before = left.findLast(({ kind }) => kind === last?.kind)?.balance ?? 0;
        return { entries: left, balances: { ...balances, [String(last?.kind)]: before } };
      }),
    ).toEqual({ part: 'leaf' });
    expect(await issueOf(({ heads }) => ({ heads: heads.slice(1) }))).toEqual({ part: 'head', day: '2026-11-22' });
    expect(await issueOf(({ heads }) => ({ heads: heads.slice(0, 1) }))).toEqual({ part: 'head', day: '2026-11-22' });
    expect(await issueOf(({ entries }) => ({ entries: entries.slice(1) }))).toMatchObject({ part: 'entry' });
    expect(await issueOf(() => ({ account: '00000000-0000-7000-8000-000000000000' }))).toEqual({ part: 'leaf' });
  });

  it('is rejected as a file where a field is missing or the file is something else', async () => {
    for (const other of [null, [], 'x', {}, { format: 'trilho-ledger-proof-2' }])
      expect((await verifyProof(other)).issue).toMatchObject({ part: 'file' });
    for (const name of Object.keys(await fileOf()))
      expect(await issueOf(() => ({ [name]: undefined })), name).toMatchObject({ part: 'file' });
  });

  it('is rejected with any digit changed, and the verifier names the part with that digit', async () => {
    const text = await textOf();
    const places = digitsOf(text);
    expect(places.length).toBeGreaterThan(2_000);
    for (const at of places) expect([at, await partNamed(changed(text, at))]).toEqual([at, partAt(text, at)]);
  });

  it('is rejected after a change of a sealed entry in the database, and the verifier names that entry', async () => {
    const [entry] = (await fileOf()).entries;
    const change = (centavos: number) =>
      plantDiscrepancy(
        owner.pool,
        `UPDATE ledger_entries e SET amount_centavos = amount_centavos + ${centavos} FROM ledger_accounts a
         WHERE a.id = e.ledger_account_id AND a.account_id = '${accountId}' AND a.kind = '${entry?.kind}' AND e.version = 1`,
      );
    await change(1);
    const { issue } = await verifyProof(await fileOf());
    expect(issue).toEqual({ part: 'entry', kind: entry?.kind, version: 1, transaction: entry?.transaction });
    await change(-1);
    expect((await verifyProof(await fileOf())).issue).toBeNull();
  });
});

/** The text with another digit in one place. */
const changed = (text: string, at: number) => `${text.slice(0, at)}${(Number(text[at]) + 1) % 10}${text.slice(at + 1)}`;

/**
 * The places of the digits, without those whose change would leave no JSON: no number begins with
 * 0.
 */
const digitsOf = (text: string): number[] =>
  [...text.matchAll(/\d/g)].map(({ index }) => index).filter((at) => isJson(changed(text, at)));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type Part = Exclude<ProofIssue['part'], 'entry'> | { entry: number };

/** The part that must be named where the digit in this place is changed. */
function partAt(text: string, at: number): Part {
  const section = [...text.matchAll(/^ "(\w+)":/gm)].findLast(({ index }) => index < at)?.[1];
  if (section === 'entries') return { entry: linesOf(text.slice(0, at)).length - 1 };
  if (section === 'chains') {
    const kind = text.slice(0, at).match(/"(\w+)": "\w*$/)?.[1];
    return { entry: linesOf(text).findIndex((line) => line.includes(`"kind":"${kind}"`)) };
  }
  if (section === 'format') return 'file';
  if (section === 'day' || section === 'publicKey' || section === 'heads') return 'head';
  return section === 'balances' ? 'balance' : 'leaf';
}

/** The lines of the entries. */
const linesOf = (text: string): string[] => (text.split('"entries": [\n')[1] ?? '').split('\n');

/** The part that the service's own verifier names. */
async function partNamed(text: string): Promise<Part | null> {
  const { issue, entries } = await verifyProof(JSON.parse(text));
  return issue?.part === 'entry' ? { entry: entries } : (issue?.part ?? null);
}

describe('docs/verify.py', () => {
  it('is short enough to be read', () => {
    expect(readFileSync(VERIFY_PY, 'utf8').split('\n').length).toBeLessThan(LINES_MAX);
  });

  if (MISSING) return it(`can’t be run here: ${MISSING}`, () => expect(MISSING).not.toBe(''));

  it('accepts the same file as the service, with the same result, and rejects another key', async () => {
    const text = await textOf();
    const { publicKey, day, account } = JSON.parse(text) as ProofFile;
    const { headHash, entries } = await verifyProof(JSON.parse(text));
    const file = join(folder, 'proof.json');
    writeFileSync(file, text);
    for (const key of [[], [publicKey]]) {
      const said = execFileSync('python3', [VERIFY_PY, file, ...key], { encoding: 'utf8' });
      expect(said).toContain(`Proved: ${entries} entries up to ${day}`);
      expect(said).toContain(`Last head: ${headHash}, public key: ${publicKey}`);
    }
    expect(() => execFileSync('python3', [VERIFY_PY, file, account], { stdio: 'pipe' })).toThrow(
      'NOT PROVED: the public key is another one',
    );
  });

  it('names the part in which a digit is changed', async () => {
    const text = await textOf();
    const places = digitsOf(text);
    const input = JSON.stringify({ text, places });
    const options = { input, encoding: 'utf8', cwd: dirname(VERIFY_PY), maxBuffer: OUTPUT_BYTES_MAX } as const;
    const said = JSON.parse(execFileSync('python3', ['-c', EACH_DIGIT], options)) as string[];
    expect(said).toEqual(places.map((at) => expect.stringMatching(complaintOf(text, at))));
  });
});

/** The lines of the script and the empty one after its last line feed must be fewer than this. */
const LINES_MAX = 81;
const OUTPUT_BYTES_MAX = 16 * 2 ** 20;

/** Verifies copies of a text, each with another digit changed, and prints each complaint. */
const EACH_DIGIT = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, '.')
import verify
given = json.load(sys.stdin)
text, said = given['text'], []
for at in given['places']:
    try:
        verify.verify(json.loads(text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1:]))
        said.append('nothing')
    except SystemExit as complaint:
        said.append(str(complaint))
print(json.dumps(said))`;

/** The complaint that the script must print where a digit is changed. */
function complaintOf(text: string, at: number): RegExp {
  const part = partAt(text, at);
  if (typeof part === 'object') {
    const { version, kind } = (JSON.parse(changed(text, at)) as ProofFile).entries[part.entry] ?? {};
    return new RegExp(`^NOT PROVED: entry ${version} of ${kind}, `);
  }
  const words = { file: 'the file', head: 'the (last )?head', balance: 'the balance', leaf: 'the (tree|path)' };
  return new RegExp(`^NOT PROVED: ${words[part]} `);
}
