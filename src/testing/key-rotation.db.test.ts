import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMasterKeys } from '#config/master-keys.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Member } from '#services/api-keys/principal.ts';
import { pixCallbackUrl } from '#services/callbacks/callback-url.ts';
import { addKycDocument, readKycDocument } from '#services/kyc/manage-kyc-documents.ts';
import { findByText } from '#services/transactions/find-by-text.ts';
import { getWholeTransaction } from '#services/transactions/get-transaction.ts';
import { openPixKey } from '#services/withdrawals/request-pix-withdrawal.ts';
import { codesOf, openBrowser, openMember, PASSWORD, setUpAuthenticator } from './panel-browser.ts';
import { startTestService, type TestService } from './test-service.ts';
import { transactionIdOf } from './transaction-id-of.ts';
import { pdfFile } from './uploaded-files.ts';

/**
 * The commands of docs/key-rotation.md, in their order: the test runs what an operator copies from
 * there.
 */
const DOCUMENTED = [
  ...readFileSync(join(import.meta.dirname, '../../docs/key-rotation.md'), 'utf8').matchAll(
    /^ *npm run --silent trilho -- (.+)$/gm,
  ),
].map(([, command = '']) => command.split(' '));
const DOCUMENT = '39053344705';
const NAME = 'Mariana Teixeira';
/** As many as a search returns. */
const FOUND_MAX = 8;
const SEALED_MAILS = 3_000;

let database: TestDatabase;
let home: string;
const running: TestService[] = [];
const webhooks: { headers: Record<string, string>; body: string }[] = [];
const receiver = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  webhooks.push({ headers: req.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
  res.end();
});
beforeAll(async () => {
  database = await createTestDatabase();
  home = mkdtempSync(join(tmpdir(), 'trilho-rotation-'));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const service of running) await service.stop();
  receiver.close();
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

/** A process of the installation, with the keys that the data folder has now. */
async function start(): Promise<TestService> {
  const service = await startTestService({
    createDatabase: async () => ({ ...database, drop: async () => {} }),
    variables: { MASTER_KEYS: '', TRILHO_HOME: home, DEMO: 'true', RATE_LIMIT_ANONYMOUS: '1000000' },
  });
  running.push(service);
  return { ...service, home };
}

async function stop(service: TestService): Promise<void> {
  const at = running.findIndex(({ url }) => url === service.url);
  await running.splice(at, 1)[0]?.stop();
}

const cliOptions = () => ({
  cwd: join(import.meta.dirname, '../..'),
  env: { ...process.env, DATABASE_URL: database.url, DEMO: 'true', TRILHO_HOME: home, MASTER_KEYS: '' },
});

async function trilho(...args: string[]): Promise<{ code: number; out: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/main.ts', ...args], cliOptions());
    return { code: 0, out: stdout };
  } catch (error) {
    const { code, stderr, stdout } = error as { code: number; stderr: string; stdout: string };
    return { code, out: stdout + stderr };
  }
}

/** Runs a command and kills it as soon as it has begun to seal. */
function killHalfWay(args: string[]): Promise<string | null> {
  const child: ChildProcess = spawn(process.execPath, ['src/cli/main.ts', ...args], cliOptions());
  child.stderr?.on('data', (text: Buffer) => {
    if (text.includes(' sealed with ')) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)));
}

const boxNow = () => createSecretBox(readMasterKeys({ masterKeys: undefined, home }));

// ASVS 11.2.2
test('a master key is replaced under load and taken away, and everything that it sealed still works', async () => {
  const [add = [], promote = [], rotate = [], status = [], remove = []] = DOCUMENTED;
  expect(DOCUMENTED.map(([, what]) => what)).toEqual(['add', 'promote', 'rotate', 'status', 'remove']);

  // Data of every kind, sealed with the first key.
  const first = await start();
  const oldBox = boxNow();
  const account = await first.openAccount({
    webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    credentials: [{ kind: 'plisio', value: { apiKey: 'canary', baseUrl: 'https://plisio.example.com/api/v1' } }],
  });
  const { apiKey, accountId, merchantId, secretKey } = account;
  const charge = (service: TestService, key: string, amount = 10) =>
    service.post(
      '/payments/transactions',
      apiKey,
      { amount, customerName: NAME, customerDocument: DOCUMENT, customerDocumentType: 'cpf' },
      { 'idempotency-key': key },
    );
  const original = await charge(first, 'pedido-1', 500);
  await first.pay(transactionIdOf(original));
  const pending = await charge(first, 'pedido-2');
  await first.until('the withdrawal is accepted', async () => {
    const body = { amount: 12.34, pixKey: '+5511987654321', pixKeyType: 'PHONE' };
    const { status } = await first.post('/payments/transfers/pix', apiKey, body);
    return status === 200 ? true : null;
  });
  const { browser, email } = await openMember(first, 'rotation@example.com');
  const { secret, backupCodes } = await setUpAuthenticator(browser);
  const who = {
    member: { memberId: uuidv7(new Date()), merchantId } as Member,
    origin: { ipAddress: null, userAgent: null },
  };
  await first.deps.db.pool.query(`UPDATE merchants SET kyc_status = 'pending' WHERE id = $1`, [merchantId]);
  await addKycDocument(first.deps, who, { kind: 'identity', name: 'a.pdf', bytes: pdfFile() });
  await first.deps.db.pool.query(`UPDATE merchants SET kyc_status = 'approved' WHERE id = $1`, [merchantId]);
  const documentId = async () =>
    (await first.deps.db.pool.query<{ id: string }>('SELECT id FROM kyc_documents')).rows[0]?.id ?? '';
  const fileId = await documentId();
  const mails = Array.from({ length: SEALED_MAILS }, () => uuidv7(new Date()));
  await first.deps.db.pool.query(
    `INSERT INTO mails (id, sealed, template, recipient, created_at)
     SELECT id, sealed, 'invitation', 'm***@example.com', $3 FROM unnest($1::uuid[], $2::text[]) AS m(id, sealed)`,
    [mails, mails.map((id) => oldBox.seal('x', `mail:${id}`)), new Date()],
  );
  const oldCallback = `${new URL(pixCallbackUrl(first.url, oldBox, 'sandbox')).pathname}/pix`;

  // No process seals with a key that a running process lacks.
  expect((await trilho(...add)).out).toContain('Added v2');
  expect(await trilho(...promote)).toMatchObject({
    code: 1,
    out: expect.stringContaining('Restart the service first'),
  });
  const second = await start();
  await stop(first);
  // One step too early it seals nothing, and takes the new key out of use for nobody.
  expect((await trilho(...rotate)).out).toMatch(
    /^Sealed again: 0 rows\.\nv1 +seals .*\nv2 +opens +0 values {2}not in use yet/,
  );
  expect((await trilho(...promote)).code).toBe(0);
  // The running process seals with the old key: sealing everything again would miss what it seals
  // meanwhile.
  expect(await trilho(...rotate)).toMatchObject({ code: 1, out: expect.stringContaining('Restart the service first') });
  const third = await start();

  // One process seals with the old key, another one with the new key; each opens what the other
  // sealed.
  expect((await browserAt(third, browser.cookies).ask('session.me')).status).toBe(200);
  for (const service of [second, third]) {
    expect((await service.post(oldCallback, undefined, { pix: [] })).status).toBe(200);
    const again = await charge(service, 'pedido-1', 500);
    expect([again.text, again.status]).toEqual([original.text, 200]);
    expect((await findByText(service.deps, accountId, DOCUMENT)).length).toBeGreaterThan(1);
  }
  await charge(second, 'pedido-3');
  await charge(third, 'pedido-4');
  expect(await findByText(second.deps, accountId, DOCUMENT)).toHaveLength(4);
  expect(await findByText(third.deps, accountId, 'teixeira')).toHaveLength(4);
  await stop(second);

  // Sealed again under load; killed half-way, and run again.
  const load = new AbortController();
  let charged = 0;
  const shop = async () => {
    for (; !load.signal.aborted; charged++) {
      const created = await charge(third, `sob-carga-${charged}`, 1);
      expect(created.status).toBe(200);
      await third.pay(transactionIdOf(created));
    }
  };
  const customers = shop();
  expect(await killHalfWay(rotate)).toBe('SIGKILL');
  const rotated = await trilho(...rotate);
  load.abort();
  await customers;
  expect(rotated).toMatchObject({ code: 0, out: expect.stringMatching(/v1 +opens +0 values {2}can be taken away/) });
  expect(charged).toBeGreaterThan(3);
  expect((await trilho(...status)).out).toMatch(/v2 +seals .*\nv1 +opens +0 values {2}can be taken away/);
  const fresh = await signInWithCode(third, email, secret);
  expect((await trilho(...remove)).code).toBe(0);
  expect(boxNow().versions).toEqual(['v2']);
  await stop(third);

  // Without the old key everything still works.
  const last = await start();
  const replay = await charge(last, 'pedido-1', 500);
  expect([replay.text, replay.headers.get('idempotent-replayed')]).toEqual([original.text, 'true']);
  expect((await charge(last, 'pedido-1', 501)).status).toBe(422);
  await last.pay(transactionIdOf(pending));
  await last.until('the charge of before is paid', async () => {
    const { body } = await last.get(`/payments/transactions/${transactionIdOf(pending)}`, apiKey);
    return (body.data as { status?: string } | undefined)?.status === 'paid' ? true : null;
  });
  const found = await findByText(last.deps, accountId, DOCUMENT);
  expect([found.length, (await findByText(last.deps, accountId, 'teixeira')).length]).toEqual([FOUND_MAX, FOUND_MAX]);
  const whole = await getWholeTransaction(last.deps, accountId, transactionIdOf(original));
  expect(whole).toMatchObject({ customerName: NAME, customerDocument: DOCUMENT });
  expect((await readKycDocument(last.deps, merchantId, fileId))?.bytes).toEqual(pdfFile());
  expect((await last.post(oldCallback, undefined, { pix: [] })).status).toBe(401);
  const paid = (id: string) => webhooks.find(({ body }) => body.includes(id) && body.includes('pix_in.paid'));
  await last.until('the webhook of the charge of before', async () => paid(transactionIdOf(pending)));
  for (const { headers, body } of webhooks) expect(() => new Webhook(secretKey).verify(body, headers)).not.toThrow();
  expect(webhooks.length).toBeGreaterThan(charged);
  expect(await credentialOf(last)).toContain('canary');
  const { rows: sent } = await last.deps.db.pool.query<{ id: string; pixKey: string }>(
    'SELECT id, pix_key AS "pixKey" FROM transactions WHERE pix_key IS NOT NULL',
  );
  expect(sent.map((withdrawal) => openPixKey(last.deps, withdrawal))).toEqual(['+5511987654321']);

  expect((await browserAt(last, fresh.cookies).ask('session.me')).status).toBe(200);
  expect((await browserAt(last, browser.cookies).ask('session.me')).status).toBe(401);
  await signInWithCode(last, email, secret);
  const withRecoveryCode = openBrowser(last);
  await withRecoveryCode.signIn(email, PASSWORD);
  const used = await withRecoveryCode.post('/api/auth/two-factor/verify-backup-code', { code: backupCodes[0] });
  expect(used.status).toBe(200);
  expect((await withRecoveryCode.ask('session.me')).status).toBe(200);

  // A key that is given up before it was promoted leaves its number used: another key under it is
  // rejected by a database that knows the first one.
  expect((await trilho(...add)).out).toContain('Added v3');
  expect((await trilho('keys', 'remove', 'v3')).code).toBe(0);
  expect((await trilho(...add)).out).toContain('Added v4');
  expect((await trilho('ledger', 'check')).code).toBe(0);
}, 600_000);

/** The same browser, at another process. */
function browserAt(service: TestService, cookies: ReadonlyMap<string, string>) {
  const browser = openBrowser(service);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}

/** Signs in with the current code, even if it was used before: that rule has a test of its own. */
async function signInWithCode(service: TestService, email: string, secret: string) {
  const browser = openBrowser(service);
  await service.deps.db.pool.query('UPDATE two_factors SET last_step = NULL');
  await browser.signIn(email, PASSWORD);
  const code = await codesOf(secret, () => new Date())();
  expect((await browser.post('/api/auth/two-factor/verify-totp', { code })).status).toBe(200);
  expect((await browser.ask('session.me')).status).toBe(200);
  return browser;
}

async function credentialOf(service: TestService): Promise<string> {
  const { rows } = await service.deps.db.pool.query<{ id: string; sealed: string }>(
    'SELECT id, sealed FROM credentials',
  );
  const [{ id = '', sealed = '' } = {}] = rows;
  return service.deps.secretBox.open(sealed, sealContext('credentials.sealed', { id }));
}
