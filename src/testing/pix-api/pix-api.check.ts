import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseJson } from '#domain/values/parse-json.ts';
import { createApiPixRail } from '#rails/pix/api-pix-rail.ts';
import type { PixChargeRequest, PixRail } from '#rails/ports.ts';
import {
  BAKERY,
  createSandboxSetup,
  type Receiver,
  type RunningSandbox,
  type SandboxSetup,
  SHOP,
  startReceiver,
} from '#sandbox/testing/running-sandbox.ts';
import { type HttpCall, type OpenApiDocument, readOpenApiDocument } from './open-api-document.ts';

/**
 * `npm run check:pix-api`: our adapter and the sandbox, compared with the central bank's own
 * document of API Pix (github.com/bacen/pix-api, openapi.yaml), which PIX_API_OPENAPI names. Every
 * request that the adapter sends and every answer that the sandbox gives is compared.
 */

let document: OpenApiDocument;
let setup: SandboxSetup;
let psp: RunningSandbox;
let receiver: Receiver;
let between: Server;
let url: string;
let rail: PixRail;
/** The calls since the last comparison. */
let calls: HttpCall[] = [];
const seen = new Set<string>();

beforeAll(async () => {
  document = readOpenApiDocument(readFileSync(process.env.PIX_API_OPENAPI ?? '', 'utf8'));
  setup = await createSandboxSetup();
  psp = await setup.startSandbox();
  receiver = await startReceiver();
  between = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { authorization = '', 'content-type': type = 'application/json' } = req.headers;
    const answer = await fetch(psp.url + req.url, {
      method: req.method ?? '',
      headers: { authorization, 'content-type': type },
      ...(body === '' ? {} : { body }),
    });
    const text = await answer.text();
    const contentType = answer.headers.get('content-type');
    if (!req.url?.startsWith('/oauth/') && !req.url?.includes('/gn/')) {
      const parsed = (raw: string) => (raw === '' ? undefined : parseJson(raw));
      const { method = '', url: path = '' } = req;
      calls.push({
        method,
        path,
        request: parsed(body),
        status: answer.status,
        contentType,
        response: parsed(text),
      });
    }
    res.writeHead(answer.status, contentType ? { 'content-type': contentType } : {}).end(text);
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  rail = createApiPixRail({ name: 'psp', baseUrl: url, ...SHOP, clock: setup.now });
});
afterAll(async () => {
  await rail?.close();
  between?.close();
  await receiver?.close();
  await setup?.close();
});

/**
 * Where the document contradicts itself, in 2.9.0:
 * - `loc` of a charge must have a txid (schema CobGerada), which its own schema does not have.
 * - `GET /webhook/{chave}`: the example has the key, which PSPs give and clients read; the schema
 *   does not have it.
 * - `GET /pix` must have `cobs` (schema PixConsultados), which its own fields lack: they have
 *   `pix`.
 */
const CONTRADICTIONS = [
  /^(PUT|PATCH|GET) \/cob\/\{txid\}: answer 20[01]\.loc must NOT have unevaluated properties \(txid\)$/,
  /^GET \/webhook\/\{chave\}: answer 200 must NOT have unevaluated properties \(chave\)$/,
  /^GET \/pix: answer 200 must have required property 'cobs' \(cobs\)$/,
];
const contradicted = new Set<RegExp>();

/** The differences from the document in the calls since the last comparison. */
function differences(): string[] {
  const compared = calls;
  calls = [];
  return compared
    .flatMap((call) => {
      const operation = document.operationOf(call.method, call.path);
      if (operation) seen.add(`${operation} ${call.status}`);
      return document.differencesOf(call).map((difference) => `${operation ?? call.path}: ${difference}`);
    })
    .filter((difference) => {
      const known = CONTRADICTIONS.find((each) => each.test(difference));
      if (known) contradicted.add(known);
      return known === undefined;
    });
}

const request = (changes: Partial<PixChargeRequest> = {}): PixChargeRequest => ({
  txid: randomUUID().replaceAll('-', ''),
  amountCentavos: 12_345n,
  expiresInSeconds: 900,
  payer: null,
  description: null,
  ...changes,
});

/** A call of another client of the sandbox, for what our adapter does not use. */
async function ask(method: string, path: string, body?: unknown, who = SHOP): Promise<Response> {
  const token = who === SHOP ? await psp.token() : await psp.token(who);
  return fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function paid(changes: Partial<PixChargeRequest> = {}): Promise<{ txid: string; endToEndId: string }> {
  const asked = request(changes);
  await rail.createCharge(asked);
  const { body } = await psp.control('POST', '/pay', { txid: asked.txid, infoPagador: 'Obrigado' });
  return { txid: asked.txid, endToEndId: body.endToEndId };
}

test('charges that are made, found, ended and rejected follow the document', async () => {
  const cpf = { name: 'João da Silva', document: '12345678909', documentType: 'cpf' } as const;
  const cnpj = { name: 'Padaria São José', document: '12ABC34501DE35', documentType: 'cnpj' } as const;
  for (const payer of [null, cpf, cnpj]) {
    const asked = request({ payer, description: payer && 'Pedido 123, é para já' });
    expect(await rail.createCharge(asked)).toMatchObject({ outcome: 'done' });
    expect(await rail.findCharge(asked.txid)).toMatchObject({ outcome: 'done' });
    expect(await rail.cancelCharge(asked.txid)).toMatchObject({ outcome: 'done' });
    expect(await rail.createCharge({ ...asked, amountCentavos: 1n })).toMatchObject({ outcome: 'unknown' });
    expect(await rail.cancelCharge(asked.txid)).toMatchObject({ outcome: 'done' });
  }
  expect(await rail.findCharge(request().txid)).toEqual({ outcome: 'done', value: null });
  const { txid } = await paid({ payer: cpf });
  expect(await rail.findCharge(txid)).toMatchObject({ value: { status: 'paid' } });
  expect(differences()).toEqual([]);
});

test('the payload that payers’ banks read follows the document, but for the signature around it', async () => {
  const asked = request();
  await rail.createCharge(asked);
  const { body } = await psp.ask('GET', `/cob/${asked.txid}`);
  const payload = await fetch(psp.url + body.location.slice(body.location.indexOf('/qr/')));
  expect(document.schemaDifferences('CobPayload', await payload.json())).toEqual([]);
  expect(differences()).toEqual([]);
});

test('payments and refunds that are found, made and rejected follow the document', async () => {
  const { txid, endToEndId } = await paid();
  expect(await rail.findPayment(endToEndId)).toMatchObject({ outcome: 'done' });
  expect(await rail.findPayment(`E${'0'.repeat(31)}`)).toEqual({ outcome: 'done', value: null });
  const refund = { endToEndId, refundId: randomUUID().replaceAll('-', ''), amountCentavos: 45n, description: 'Troco' };
  expect(await rail.refundPayment(refund)).toMatchObject({ outcome: 'done' });
  expect(await rail.refundPayment({ ...refund, refundId: 'a', amountCentavos: 99_999n })).toMatchObject({
    outcome: 'rejected',
  });
  await psp.control('PUT', '/switches', { name: 'pix.refund', value: 'refused' });
  expect(await rail.refundPayment({ ...refund, refundId: 'failed' })).toMatchObject({ outcome: 'done' });
  await psp.control('PUT', '/switches', { name: 'pix.refund', value: 'done' });
  setup.advance(60);
  await psp.sandbox.drainDueTasks();
  expect(await rail.findRefund(endToEndId, refund.refundId)).toMatchObject({ value: { status: 'completed' } });
  expect(await rail.findRefund(endToEndId, 'failed')).toMatchObject({ value: { status: 'failed' } });
  expect(await rail.findRefund(endToEndId, 'none')).toEqual({ outcome: 'done', value: null });
  expect(await rail.findPayment(endToEndId)).toMatchObject({ outcome: 'done' });
  expect(await rail.findCharge(txid)).toMatchObject({ outcome: 'done' });
  const period = { from: new Date(setup.now().getTime() - 86_400_000), to: setup.now(), page: 0 };
  for (const refundedOnly of [false, true]) {
    expect(await rail.listPayments({ ...period, refundedOnly })).toMatchObject({ outcome: 'done' });
  }
  const { from: inicio, to: fim } = { from: period.from.toISOString(), to: period.to.toISOString() };
  for (const more of [{ txid }, { txIdPresente: 'true' }, { 'paginacao.itensPorPagina': '1' }]) {
    expect((await ask('GET', `/pix?${new URLSearchParams({ inicio, fim, ...more })}`)).status).toBe(200);
  }
  expect((await ask('GET', `/pix?${new URLSearchParams({ inicio: fim, fim: inicio })}`)).status).toBe(400);
  expect(differences()).toEqual([]);
});

test('the webhook follows the document where it is set, read, deleted and called', async () => {
  const found = await ask('GET', `/webhook/${BAKERY.pixKey}`, undefined, BAKERY);
  expect(found.status).toBe(404);
  expect(await rail.registerWebhook(receiver.url)).toMatchObject({ outcome: 'done' });
  expect(await rail.registerWebhook(receiver.url)).toMatchObject({ outcome: 'done' });
  const { endToEndId } = await paid({ description: 'Pedido 7' });
  await rail.refundPayment({ endToEndId, refundId: 'r1', amountCentavos: 100n, description: null });
  setup.advance(60);
  await psp.sandbox.drainDueTasks();
  await expect.poll(() => receiver.bodies.length).toBeGreaterThanOrEqual(2);
  expect((await ask('PUT', `/webhook/${SHOP.pixKey}`, { webhookUrl: 'nowhere' })).status).toBe(400);
  expect((await ask('DELETE', `/webhook/${SHOP.pixKey}`)).status).toBe(204);
  expect(differences()).toEqual([]);
  const called = receiver.bodies.flatMap((body) =>
    document.callbackDifferences('PUT /webhook/{chave}', JSON.parse(body)),
  );
  expect(called).toEqual([]);
});

test('an error has the problem body of the document', async () => {
  const path = `/cob/${request().txid}`;
  expect((await fetch(url + path)).status).toBe(401);
  expect((await ask('PUT', path, { valor: { original: '1' } })).status).toBe(400);
  expect((await ask('PATCH', path, {})).status).toBe(400);
  expect((await ask('PUT', '/pix/E1/devolucao/r1', { valor: '1.00' })).status).toBe(404);
  await psp.control('PUT', '/switches', { name: 'pix.charge', value: 'error' });
  expect(await rail.createCharge(request())).toMatchObject({ outcome: 'unknown' });
  await psp.control('PUT', '/switches', { name: 'pix.charge', value: 'ok' });
  expect(differences()).toEqual([]);
});

test('the document still contradicts itself where this check allows for it', () => {
  expect([...contradicted].sort()).toEqual([...CONTRADICTIONS].sort());
});

test('every operation that the sandbox has was compared, with a successful answer at least once', () => {
  const operations = new Set([...seen].map((each) => each.slice(0, each.lastIndexOf(' '))));
  expect([...operations].sort()).toEqual(
    [
      ...['PUT /cob/{txid}', 'PATCH /cob/{txid}', 'GET /cob/{txid}', 'GET /pix', 'GET /pix/{e2eid}'],
      ...['PUT /pix/{e2eid}/devolucao/{id}', 'GET /pix/{e2eid}/devolucao/{id}'],
      ...['PUT /webhook/{chave}', 'GET /webhook/{chave}', 'DELETE /webhook/{chave}'],
    ].sort(),
  );
  for (const operation of operations) {
    const statuses = [...seen]
      .filter((each) => each.startsWith(`${operation} `))
      .map((each) => Number(each.split(' ').at(-1)));
    expect(
      statuses.some((status) => status < 300),
      operation,
    ).toBe(true);
  }
});
