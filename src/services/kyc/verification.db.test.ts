import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ACCOUNTS_CHANNEL } from '#db/api-keys/api-keys.ts';
import { addMember } from '#db/testing/add-member.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { pdfFile, pngFile } from '#testing/uploaded-files.ts';
import { CommandError } from '../../cli/context.ts';
import { createProgram } from '../../cli/program.ts';
import { openMerchantDocument } from '../accounts/merchant-document.ts';
import type { Member } from '../api-keys/principal.ts';
import { addKycDocument, readKycDocument } from './manage-kyc-documents.ts';
import { typedAddress, typedPerson } from './testing/person-form.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

const company = {
  kind: 'company' as const,
  legal_name: 'Loja Azul Comércio Ltda.',
  trade_name: 'Loja Azul',
  cnpj: '12.ABC.345/01DE-35',
  opened_on: '2019-03-04',
  site: '',
  monthly_volume: '50000',
  ...typedAddress,
  representative_name: 'Maria da Silva',
  representative_cpf: '390.533.447-05',
};

/** Opens a merchant as after a sign-up, with a member. */
async function merchant() {
  const { merchantId, accountId, apiKey } = await trilho.openAccount({ kycStatus: 'pending', mode: 'live' });
  const memberId = uuidv7(new Date());
  const email = `${memberId}@example.com`;
  await addMember(trilho.deps.db.pool, { id: memberId, merchantId, email });
  const member = { memberId, merchantId } as Member;
  const who = { member, origin: { ipAddress: null, userAgent: null } };
  const panel = await panelCaller(trilho.deps, accountId, member);
  const upload = (kind: 'company' | 'identity' | 'address' | 'selfie', bytes = pdfFile()) =>
    addKycDocument(trilho.deps, who, { kind, name: `${kind}.pdf`, bytes });
  const decisions = async () => (await panel.kyc.get()).submissions.map(({ decision }) => decision);
  const merchantRow = async () => {
    const found = await rows<{ name: string; document: string; document_type: string; kyc_status: string }>(
      'SELECT name, document, document_type, kyc_status FROM merchants WHERE id = $1',
      merchantId,
    );
    return found.map((row) => openMerchantDocument(trilho.deps, merchantId, row));
  };
  return { merchantId, accountId, apiKey, memberId, email, panel, upload, decisions, merchantRow };
}

async function rows<T>(sql: string, ...values: unknown[]): Promise<T[]> {
  return (await trilho.deps.db.pool.query(sql, values)).rows as T[];
}

const variables = () => ({
  DATABASE_URL: trilho.databaseUrl,
  DEMO: 'true',
  MASTER_KEYS: trilho.masterKeys,
  TRILHO_HOME: trilho.home,
});

/** The operator's command line, as a process of its own beside the running service. */
async function cli(...args: string[]): Promise<{ code: number; out: string }> {
  const env = { ...process.env, ...variables() };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/main.ts', 'kyc', ...args], { env });
    return { code: 0, out: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, out: stderr };
  }
}

/** As cli(), in this process: for tests that need no second process, which is slow to start. */
async function typed(...args: string[]): Promise<{ code: number; out: string }> {
  for (const [name, value] of Object.entries(variables())) vi.stubEnv(name, value);
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await createProgram().parseAsync(['kyc', ...args], { from: 'user' });
    return { code: 0, out: print.mock.calls.map(([line]) => `${line}\n`).join('') };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { code: 1, out: error.message };
  } finally {
    vi.unstubAllEnvs();
    print.mockRestore();
  }
}

async function submitted() {
  const one = await merchant();
  await one.upload('identity');
  await one.upload('address');
  await one.upload('selfie', pngFile());
  await one.panel.kyc.submit(typedPerson);
  const [submission] = (await one.panel.kyc.get()).submissions;
  if (!submission) throw new Error('nothing was submitted');
  return { ...one, submissionId: submission.id };
}

test('a submitted verification waits for a decision, and can’t be changed meanwhile', async () => {
  const { panel, upload, submissionId } = await submitted();
  const waiting = await panel.kyc.get();
  expect(waiting).toMatchObject({ status: 'pending', can_submit: false, documents: [] });
  expect(waiting.form).toMatchObject({ kind: 'person', cpf: '39053344705', zip: '01310100' });
  expect(waiting.submitted.map(({ kind }) => kind)).toEqual(['identity', 'address', 'selfie']);
  await expect(upload('identity')).rejects.toMatchObject({ code: 'invalid_state' });
  await expect(panel.kyc.submit(typedPerson)).rejects.toMatchObject({ cause: { code: 'invalid_state' } });
  const document_id = waiting.submitted[0]?.id ?? '';
  await expect(panel.kyc.removeDocument({ document_id })).rejects.toMatchObject({ cause: { code: 'not_found' } });
  expect(waiting.submissions[0]?.id).toBe(submissionId);
});

test('without the required documents, or with a form that has issues, nothing is submitted, and every issue is reported', async () => {
  const { panel, upload, decisions } = await merchant();
  await upload('identity');
  await expect(panel.kyc.submit(typedPerson)).rejects.toMatchObject({
    cause: {
      code: 'invalid_input',
      details: [
        { field: 'documents', issue: 'document_missing', params: { kind: 'address' } },
        { field: 'documents', issue: 'document_missing', params: { kind: 'selfie' } },
      ],
    },
  });
  await expect(panel.kyc.submit({ ...typedPerson, cpf: '11111111111', zip: '1' })).rejects.toMatchObject({
    cause: { issues: [{ path: ['cpf'] }, { path: ['zip'] }] },
  });
  await expect(panel.kyc.submit({ ...typedPerson, born_on: '2020-01-01' })).rejects.toMatchObject({
    cause: { details: [{ field: 'born_on', issue: 'under_age', params: { years: 18 } }] },
  });
  expect(await decisions()).toEqual([]);
});

test('documents that this kind of merchant does not need are deleted when the others are submitted', async () => {
  const { panel, upload, merchantId } = await merchant();
  for (const kind of ['company', 'identity', 'address', 'selfie'] as const) await upload(kind);
  await panel.kyc.submit(company);
  const kept = await rows<{ kind: string }>(
    'SELECT kind FROM kyc_documents WHERE merchant_id = $1 ORDER BY kind',
    merchantId,
  );
  expect(kept.map(({ kind }) => kind)).toEqual(['address', 'company', 'identity']);
});

test('of any number of submissions at once one is accepted', async () => {
  const { panel, upload, decisions } = await merchant();
  for (const kind of ['identity', 'address', 'selfie'] as const) await upload(kind);
  // Connections are opened beforehand: opening them would serialise the submissions.
  await Promise.all(Array.from({ length: 8 }, () => trilho.deps.db.pool.query('SELECT pg_sleep(0.05)')));
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => panel.kyc.submit(typedPerson)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await decisions()).toEqual(['submitted']);
});

test('of any number of uploads at once no more of a kind are kept than allowed', async () => {
  const { panel, upload } = await merchant();
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => upload('identity')));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect((await panel.kyc.get()).documents).toHaveLength(3);
});

test('the form and the files of a verification can’t be read in the database', async () => {
  const { merchantId } = await submitted();
  const [stored] = await rows<{ sealed: string }>(
    'SELECT sealed FROM kyc_submissions WHERE merchant_id = $1',
    merchantId,
  );
  expect(stored?.sealed).not.toMatch(/Maria|39053344705/);
  const files = await rows<{ sealed: Buffer }>('SELECT sealed FROM kyc_documents WHERE merchant_id = $1', merchantId);
  for (const { sealed } of files) expect(sealed.includes('%PDF') || sealed.includes('PNG')).toBe(false);
});

test('a merchant neither sees nor removes another one’s document', async () => {
  const [mine, other] = [await merchant(), await merchant()];
  const { id } = await mine.upload('identity');
  expect((await other.panel.kyc.get()).documents).toEqual([]);
  await expect(other.panel.kyc.removeDocument({ document_id: id })).rejects.toMatchObject({
    cause: { code: 'not_found' },
  });
  await expect(readKycDocument(trilho.deps, other.merchantId, id)).rejects.toMatchObject({ code: 'not_found' });
  expect((await readKycDocument(trilho.deps, mine.merchantId, id)).bytes).toEqual(pdfFile());
  await mine.panel.kyc.removeDocument({ document_id: id });
  expect((await mine.panel.kyc.get()).documents).toEqual([]);
});

test('an approval from the command line takes effect on REST at once, and notifies the members once', async () => {
  const { apiKey, panel, merchantId, merchantRow, email } = await submitted();
  const withdraw = () =>
    trilho.post('/payments/pix/withdraw', apiKey, { amount: 1, pixKey: 'a@b.co', pixKeyType: 'email' });
  expect((await trilho.get('/payments/balance', apiKey)).status).toBe(403);
  const listed = JSON.parse((await typed('list', '--json')).out) as { id: string; merchant_id: string }[];
  const id = listed.find((one) => one.merchant_id === merchantId)?.id ?? '';
  const announced = await announcements();
  expect(await cli('approve', id)).toMatchObject({ code: 0 });
  await trilho.until('every process is notified', async () => (announced.heard.includes(merchantId) ? true : null));
  announced.stop();
  await trilho.until('REST obeys', async () =>
    (await trilho.get('/payments/balance', apiKey)).status === 200 ? true : null,
  );
  expect((await withdraw()).text).not.toContain('kyc');
  expect(await panel.kyc.get()).toMatchObject({
    status: 'approved',
    can_submit: false,
    submissions: [{ decision: 'approved' }],
  });
  // A person keeps the name of their shop; the document becomes the verified one.
  expect(await merchantRow()).toEqual([
    { name: 'Padaria São José', document: '39053344705', document_type: 'cpf', kyc_status: 'approved' },
  ]);
  expect(await cli('reject', id, '--reason', 'x')).toMatchObject({
    code: 1,
    out: expect.stringContaining('decided before'),
  });
  const mails = await trilho.until('the mail', async () => {
    const sent = mailsTo(email);
    return sent.length > 0 ? sent : null;
  });
  expect(mails).toHaveLength(1);
  const audit = await rows<{ action: string; member_id: string | null; details: { operator?: string } }>(
    "SELECT action, member_id, details FROM audit_records WHERE merchant_id = $1 AND action LIKE 'kyc.%' ORDER BY id",
    merchantId,
  );
  expect(audit.map(({ action }) => action)).toEqual([
    ...Array(3).fill('kyc.document_added'),
    'kyc.submitted',
    'kyc.approved',
  ]);
  expect(audit.at(-1)).toMatchObject({ member_id: null, details: { operator: userInfo().username } });
});

test('a company that is approved is called by its trade name', async () => {
  const { upload, panel, merchantRow, email } = await merchant();
  for (const kind of ['company', 'identity', 'address'] as const) await upload(kind);
  await panel.kyc.submit(company);
  const [found] = await rows<{ email: string }>(
    'SELECT m.email FROM merchants m JOIN memberships o ON o.merchant_id = m.id JOIN members x ON x.id = o.member_id WHERE x.email = $1',
    email,
  );
  expect(await typed('approve', found?.email ?? '')).toMatchObject({ code: 0 });
  expect(await merchantRow()).toMatchObject([{ name: 'Loja Azul', document: '12ABC34501DE35', document_type: 'cnpj' }]);
});

test('after a rejection the merchant reads why, and continues from what was submitted', async () => {
  const { panel, upload, submissionId, apiKey, decisions } = await submitted();
  expect(await typed('reject', submissionId, '--reason', 'O documento está ilegível.')).toMatchObject({ code: 0 });
  const rejected = await panel.kyc.get();
  expect(rejected).toMatchObject({
    status: 'rejected',
    can_submit: true,
    form: { name: 'Maria da Silva' },
    submissions: [{ decision: 'rejected', reason: 'O documento está ilegível.' }],
  });
  expect(rejected.documents.map(({ kind }) => kind)).toEqual(['identity', 'address', 'selfie']);
  await trilho.until('REST says so', async () =>
    (await trilho.get('/payments/balance', apiKey)).text.includes('rejected') ? true : null,
  );
  const document_id = rejected.documents[0]?.id ?? '';
  await panel.kyc.removeDocument({ document_id });
  await upload('identity', pngFile());
  await panel.kyc.submit(typedPerson);
  expect(await decisions()).toEqual(['submitted', 'rejected']);
  const { status, submitted: handedIn } = await panel.kyc.get();
  expect(status).toBe('pending');
  // Copied documents open: they are bound to the merchant, not to the submission before.
  for (const { id, bytes } of handedIn)
    expect((await readKycDocument(trilho.deps, (await ids(id)).merchant_id, id)).bytes).toHaveLength(bytes);
  await trilho.until('REST says pending again', async () =>
    (await trilho.get('/payments/balance', apiKey)).text.includes('pending') ? true : null,
  );
});

const ids = async (documentId: string) =>
  (await rows<{ merchant_id: string }>('SELECT merchant_id FROM kyc_documents WHERE id = $1', documentId))[0] ?? {
    merchant_id: '',
  };

test('the operator gets the documents as they were uploaded, under our file names, readable by the operator only', async () => {
  const { submissionId, merchantId } = await submitted();
  const folder = join(mkdtempSync(join(tmpdir(), 'trilho-kyc-')), 'case');
  const written = await typed('documents', submissionId, '--to', folder);
  expect(written.code).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(['1-identity.pdf', '2-address.pdf', '3-selfie.png']);
  expect(readFileSync(join(folder, '1-identity.pdf'))).toEqual(pdfFile());
  expect(statSync(join(folder, '1-identity.pdf')).mode & 0o077).toBe(0);
  expect(await typed('documents', submissionId, '--to', folder)).toMatchObject({ code: 1 });
  const read = await rows(
    'SELECT 1 FROM audit_records WHERE merchant_id = $1 AND action = $2',
    merchantId,
    'kyc.documents_read',
  );
  expect(read.length).toBeGreaterThan(0);
  const shown = JSON.parse((await typed('show', submissionId, '--json')).out);
  expect(shown).toMatchObject({ kind: 'person', form: { name: 'Maria da Silva', cpf: '39053344705' } });
  expect(JSON.stringify(shown)).not.toContain('sealed');
});

/** Listens for the ids of accounts and merchants whose caches processes are asked to drop. */
async function announcements() {
  const client = await trilho.deps.db.pool.connect();
  const heard: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => heard.push(payload));
  await client.query(`LISTEN ${ACCOUNTS_CHANNEL}`);
  // Closed for good: a connection that listens must not go back to the pool.
  return { heard, stop: () => client.release(true) };
}

function mailsTo(email: string): string[] {
  const folder = join(trilho.home, 'mail');
  // The first message creates the folder.
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .filter((mail) => mail.includes(email));
}
