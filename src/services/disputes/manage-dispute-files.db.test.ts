import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { disputedCharge } from '#testing/disputed-charge.ts';
import { openMember, type PanelBrowser } from '#testing/panel-browser.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { pdfFile, pngFile } from '#testing/uploaded-files.ts';
import { writeFiles } from '../../cli/write-files.ts';
import { resumeAccount, suspendAccount } from '../accounts/suspend-account.ts';
import { openEvidence } from './open-evidence.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

let shops = 0;

/** A case of a merchant with a member who has signed in. */
async function contestedShop() {
  const account = await trilho.openAccount();
  const { browser } = await openMember(trilho, `dona-${++shops}@example.com`, { merchantId: account.merchantId });
  const { disputeId } = await disputedCharge(trilho, account.apiKey, 50);
  return { ...account, browser, disputeId };
}

const headersOf = (browser: PanelBrowser) => ({
  cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  origin: trilho.url,
});

async function upload(browser: PanelBrowser, disputeId: string, file: Buffer, name = 'recibo.pdf') {
  const query = new URLSearchParams({ dispute: disputeId, name });
  const answer = await fetch(`${trilho.url}/upload/test/dispute?${query}`, {
    method: 'POST',
    headers: headersOf(browser),
    body: new Uint8Array(file),
  });
  return { status: answer.status, body: (await answer.json()) as { file_id?: string; error?: string } };
}

const download = (browser: PanelBrowser, disputeId: string, id: string) =>
  fetch(`${trilho.url}/download/test/dispute?dispute=${disputeId}&id=${id}`, { headers: headersOf(browser) });

test('evidence is kept sealed, comes back as it was to its own merchant, and is there for nobody else', async () => {
  const { browser, disputeId } = await contestedShop();
  const { status, body } = await upload(browser, disputeId, pdfFile(), 'nota fiscal.pdf');
  expect([status, body]).toMatchObject([201, { file_name: 'nota fiscal.pdf', bytes: pdfFile().length }]);
  const { rows } = await trilho.deps.db.pool.query<{ name: string; sealed: Buffer }>(
    'SELECT file_name AS name, sealed FROM dispute_files WHERE dispute_id = $1',
    [disputeId],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.name).not.toContain('nota');
  expect(rows[0]?.sealed.includes('%PDF')).toBe(false);

  const got = await download(browser, disputeId, body.file_id ?? '');
  expect(Buffer.from(await got.arrayBuffer())).toEqual(pdfFile());
  expect(got.headers.get('content-security-policy')).toContain('sandbox');
  const other = await contestedShop();
  for (const id of [disputeId, other.disputeId])
    expect((await download(other.browser, id, body.file_id ?? '')).status).toBe(404);
  expect((await upload(other.browser, disputeId, pdfFile())).status).toBe(404);
});

test('a file of an unknown type, or beyond the fifth, is rejected with the reason, also when several come at once', async () => {
  const { browser, disputeId } = await contestedShop();
  expect(await upload(browser, disputeId, Buffer.from('<script>'))).toEqual({
    status: 400,
    body: { error: 'unknown_type' },
  });
  for (const _ of [1, 2, 3, 4]) expect((await upload(browser, disputeId, pngFile())).status).toBe(201);
  const last = await Promise.all([upload(browser, disputeId, pngFile()), upload(browser, disputeId, pngFile())]);
  expect(last.map(({ body }) => body.error ?? 'kept').sort()).toEqual(['kept', 'too_many']);
});

test('evidence can be taken back until the case is answered, and then stays as it is', async () => {
  const { browser, disputeId } = await contestedShop();
  const first = await upload(browser, disputeId, pdfFile());
  await upload(browser, disputeId, pngFile(), 'foto.png');
  const remove = (id = '') => browser.call('disputeCase.removeFile', { dispute_id: disputeId, file_id: id });
  expect((await remove(uuidv7(trilho.deps.clock()))).reason).toBe('not_found');
  expect((await remove(first.body.file_id)).status).toBe(200);
  expect((await browser.call('disputes.answer', { disputeId, answer: 'contest', text: 'Entregue.' })).status).toBe(200);

  const seen = await browser.ask('disputeCase.get', { dispute_id: disputeId });
  const [left] = (seen.data as { files: { file_id: string; file_name: string }[] }).files;
  expect(left?.file_name).toBe('foto.png');
  expect((await remove(left?.file_id)).reason).toBe('invalid_state');
  expect((await upload(browser, disputeId, pdfFile())).body.error).toBe('invalid_state');
});

test('a suspended account keeps no evidence, and sends what it has', async () => {
  const { accountId, browser, disputeId } = await contestedShop();
  const before = await upload(browser, disputeId, pdfFile());
  await suspendAccount(trilho.deps, { accountId, reason: 'Prova' });
  expect(await upload(browser, disputeId, pngFile())).toEqual({ status: 403, body: { error: 'account_suspended' } });
  const seen = await browser.ask('disputeCase.get', { dispute_id: disputeId });
  expect((seen.data as { files: object[] }).files).toHaveLength(1);
  expect((await download(browser, disputeId, before.body.file_id ?? '')).status).toBe(200);
  await resumeAccount(trilho.deps, accountId);
  expect((await upload(browser, disputeId, pngFile())).status).toBe(201);
});

test('the operator gets the answer and its evidence in files that only they can read, and the audit records it', async () => {
  const { browser, disputeId } = await contestedShop();
  await upload(browser, disputeId, pngFile());
  await browser.call('disputes.answer', { disputeId, answer: 'contest', text: 'Entregue em 18/11.' });
  const folder = join(mkdtempSync(join(tmpdir(), 'evidence-')), 'case');
  const files = async function* () {
    for await (const file of openEvidence({ ...trilho.deps, operator: 'ana' }, disputeId))
      yield { name: 'evidence', mediaType: file.mediaType, content: file.bytes };
  };
  await writeFiles(files(), folder);
  expect(readdirSync(folder).sort()).toEqual(['1-evidence.txt', '2-evidence.png']);
  expect(readFileSync(join(folder, '1-evidence.txt'), 'utf8')).toBe('Entregue em 18/11.');
  expect(readFileSync(join(folder, '2-evidence.png'))).toEqual(pngFile());
  expect(statSync(join(folder, '2-evidence.png')).mode & 0o777).toBe(0o600);
  const { rows } = await trilho.deps.db.pool.query(
    `SELECT FROM audit_records WHERE action = 'dispute.evidence_read' AND details ->> 'dispute_id' = $1`,
    [disputeId],
  );
  expect(rows).toHaveLength(1);
});

test('evidence that the merchant takes back while the operator reads it is left out, and the rest is read', async () => {
  const { browser, disputeId } = await contestedShop();
  const sent = [await upload(browser, disputeId, pdfFile()), await upload(browser, disputeId, pngFile())];
  const read: string[] = [];
  for await (const { mediaType } of openEvidence({ ...trilho.deps, operator: 'ana' }, disputeId)) {
    read.push(mediaType);
    await browser.call('disputeCase.removeFile', { dispute_id: disputeId, file_id: sent[1]?.body.file_id });
  }
  expect(read).toEqual(['application/pdf']);
});
