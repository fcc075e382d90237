import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import type { PixChargeRequest, PixRail } from '../ports.ts';
import { createApiPixRail } from './api-pix-rail.ts';
import { makeCertificates, type TestCertificates } from './testing/make-certificates.ts';

const CONTROL_TOKEN = 'control-token-of-the-test';
const SHOP = { clientId: 'shop', clientSecret: 'shop-secret', pixKey: '+5551998259765', document: '12345678000195' };
const NOW = new Date('2026-11-20T12:00:00.000Z');
/**
 * For the switches that leave calls without an answer. Long enough for the sandbox to have read the
 * call: of one that ends before nothing is done.
 */
const SHORT_TIMEOUT_MS = 2_000;

let database: TestDatabase;
let pool: pg.Pool;
let sandbox: Sandbox;
let certificates: TestCertificates;
let plain: Server;
let secure: Server;
let receiver: Server;
let callbacks: { path: string | undefined; body: string }[];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.ownerUrl });
  // The pool does not wait for its connections to close, and dropping the database cuts those that
  // are still open.
  pool.on('error', () => {});
  sandbox = newSandbox();
  await sandbox.prepare();
  sandbox.start();
  certificates = await makeCertificates();
  const handle: RequestListener = (req, res) => sandbox.handle(req, res, req.url ?? '');
  plain = await listen(createServer(handle));
  const demandCertificate = { ca: certificates.ca, requestCert: true, rejectUnauthorized: true };
  secure = await listen(createHttpsServer({ ...certificates.server, ...demandCertificate }, handle));
  receiver = await listen(
    createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      callbacks.push({ path: req.url, body: Buffer.concat(chunks).toString() });
      res.end();
    }),
  );
});
afterAll(async () => {
  await sandbox?.stop();
  await Promise.all([plain, secure, receiver].map(close));
  await pool?.end();
  await database?.drop();
});

describe.each(['plain HTTP', 'TLS with client certificates'])('the rail and the sandbox PSP, over %s', (way) => {
  let rail: PixRail;
  let request: PixChargeRequest;

  beforeEach(() => {
    callbacks = [];
    request = {
      txid: randomUUID().replaceAll('-', ''),
      amountCentavos: 12345n,
      expiresInSeconds: 900,
      payer: { name: 'João da Silva', document: '12345678909', documentType: 'cpf' },
      description: 'Pedido 123',
    };
    rail = connect();
  });
  afterEach(async () => {
    await setSwitch('pix.charge', 'ok');
    await setSwitch('pix.query', 'ok');
    await rail.close();
  });

  function connect(callTimeoutMs?: number): PixRail {
    const { clientId, clientSecret, pixKey } = SHOP;
    const tls = way === 'plain HTTP' ? undefined : { ...certificates.client, ca: certificates.ca };
    const baseUrl = tls ? `https://127.0.0.1:${portOf(secure)}` : `http://127.0.0.1:${portOf(plain)}`;
    const clock = () => NOW;
    const optional = { ...(tls && { tls }), ...(callTimeoutMs !== undefined && { callTimeoutMs }) };
    return createApiPixRail({ name: 'sandbox', baseUrl, clientId, clientSecret, pixKey, clock, ...optional });
  }

  test('a charge is created, and asking again gives the same one', async () => {
    const first = await rail.createCharge(request);
    expect(first).toEqual({
      outcome: 'done',
      value: {
        txid: request.txid,
        status: 'active',
        amountCentavos: 12345n,
        brCode: expect.stringMatching(/^0002010102122.*psp\.example\/qr\/.*5406123\.45.*6304[0-9A-F]{4}$/),
        createdAt: NOW,
        expiresInSeconds: 900,
        payments: [],
      },
    });
    expect(await rail.createCharge(request)).toEqual(first);
    expect(await rail.findCharge(request.txid)).toEqual(first);
  });

  test('texts at and above the limits of the standard are taken', async () => {
    const payer = { name: '😀'.repeat(300), document: '12ABC34501DE35', documentType: 'cnpj' as const };
    const longest = { ...request, payer, description: '😀'.repeat(300), amountCentavos: 1n };
    expect(await rail.createCharge(longest)).toMatchObject({ outcome: 'done', value: { amountCentavos: 1n } });
  });

  test('a payment is called back, and found by its charge and by its own id', async () => {
    const { port } = receiver.address() as AddressInfo;
    const webhookUrl = `http://127.0.0.1:${port}/callbacks/${way.length}`;
    expect(await rail.registerWebhook(webhookUrl)).toEqual({ outcome: 'done', value: null });
    expect(await rail.registerWebhook(webhookUrl)).toEqual({ outcome: 'done', value: null });

    await rail.createCharge(request);
    const paid = await control('POST', '/pay', { txid: request.txid });
    const payment = {
      endToEndId: expect.stringMatching(/^E[a-zA-Z0-9]{31}$/),
      txid: request.txid,
      amountCentavos: 12345n,
      paidAt: NOW,
      payerNote: null,
      refunds: [],
    };
    expect(await rail.findCharge(request.txid)).toMatchObject({
      outcome: 'done',
      value: { status: 'paid', payments: [payment] },
    });
    expect(await rail.findPayment(paid.endToEndId)).toEqual({ outcome: 'done', value: payment });

    await vi.waitFor(() => expect(callbacks).toHaveLength(1), { timeout: 60_000 });
    expect(callbacks[0]?.path).toBe(`/callbacks/${way.length}/pix`);
    expect(rail.parseCallback(callbacks[0]?.body ?? '')).toEqual([
      { about: 'payment', endToEndId: paid.endToEndId, txid: request.txid },
    ]);
  });

  test('another amount than asked for is reported as it was paid', async () => {
    await rail.createCharge(request);
    await control('POST', '/pay', { txid: request.txid, amount: '99.99' });
    expect(await rail.findCharge(request.txid)).toMatchObject({
      value: { amountCentavos: 12345n, payments: [{ amountCentavos: 9999n }] },
    });
  });

  test('what the PSP does not know is null', async () => {
    expect(await rail.findCharge(request.txid)).toEqual({ outcome: 'done', value: null });
    expect(await rail.findPayment(`E${'0'.repeat(31)}`)).toEqual({ outcome: 'done', value: null });
  });

  test('a charge that the PSP rejects is rejected and does not exist', async () => {
    await setSwitch('pix.charge', 'refused');
    expect(await rail.createCharge(request)).toMatchObject({
      outcome: 'rejected',
      reason: expect.stringMatching(/RequisicaoInvalida/),
    });
    expect(await rail.findCharge(request.txid)).toEqual({ outcome: 'done', value: null });
  });

  test('a charge of another amount under our txid is not taken for ours', async () => {
    await rail.createCharge(request);
    expect(await rail.createCharge({ ...request, amountCentavos: 1n })).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/another amount/),
    });
  });

  test('a charge is unknown when the PSP fails', async () => {
    await setSwitch('pix.charge', 'error');
    await setSwitch('pix.query', 'error');
    const trouble = { outcome: 'unknown', reason: expect.stringMatching(/ErroInternoDoServidor/) };
    expect(await rail.createCharge(request)).toMatchObject(trouble);
    expect(await rail.findCharge(request.txid)).toMatchObject(trouble);
  });

  test('a charge that was created without an answer is unknown, then found', async () => {
    await setSwitch('pix.charge', 'timeout');
    const impatient = connect(SHORT_TIMEOUT_MS);
    expect(await impatient.createCharge(request)).toEqual({ outcome: 'unknown', reason: 'no answer in time' });
    await impatient.close();
    expect(await rail.findCharge(request.txid)).toMatchObject({ outcome: 'done', value: { txid: request.txid } });
  });

  test('a new token is requested when the PSP does not know ours any more', async () => {
    await rail.findCharge(request.txid);
    const before = sandbox;
    // Tokens live in the sandbox's process, so a restart loses them.
    sandbox = newSandbox();
    try {
      expect(await rail.createCharge(request)).toMatchObject({ outcome: 'done' });
    } finally {
      sandbox = before;
    }
  });
});

test('over TLS, a client without a certificate gets nowhere', async () => {
  const { clientId, clientSecret, pixKey } = SHOP;
  const tls = { ca: certificates.ca } as { ca: string; cert: string; key: string };
  const baseUrl = `https://127.0.0.1:${portOf(secure)}`;
  const rail = createApiPixRail({ name: 'sandbox', baseUrl, clientId, clientSecret, pixKey, tls, clock: () => NOW });
  expect(await rail.findCharge('0'.repeat(32))).toMatchObject({ outcome: 'unknown' });
  await rail.close();
});

function newSandbox(): Sandbox {
  const silent = () => {};
  return createSandbox({
    pool,
    clock: () => NOW,
    publicHost: 'psp.example',
    clients: [SHOP],
    controlTokens: [CONTROL_TOKEN],
    merchantName: 'Padaria São José',
    merchantCity: 'São Paulo',
    log: { info: silent, warn: silent, error: silent },
  });
}

async function control(method: string, path: string, body: object): Promise<{ endToEndId: string }> {
  const response = await fetch(`http://127.0.0.1:${portOf(plain)}/control${path}`, {
    method,
    headers: { authorization: `Bearer ${CONTROL_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

const setSwitch = (name: string, value: string) => control('PUT', '/switches', { name, value });
const portOf = (server: Server) => (server.address() as AddressInfo).port;

function listen<S extends Server>(server: S): Promise<S> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

function close(server: Server | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (!server) return resolve();
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
