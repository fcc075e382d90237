import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TRPCError } from '@trpc/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertAudit } from '#db/audit/audit.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { openBodies } from '#db/requests/logged-bodies.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isStorableText } from '#domain/values/storable-text.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { AUTH_PATHS } from '#server/auth/auth-endpoints.ts';
import { pixCallbackUrl } from '#services/callbacks/callback-url.ts';
import { createProviderCallRecorder } from '#services/callbacks/provider-call-recorder.ts';
import { openMember, type PanelBrowser } from '../src/testing/panel-browser.ts';
import { panelCaller } from '../src/testing/panel-caller.ts';
import { startTestService, type TestService } from '../src/testing/test-service.ts';
import { pdfFile } from '../src/testing/uploaded-files.ts';
import { RULES } from './authorisation/rules.ts';
import { idsOfNothing } from './tenants.ts';
import { type Entrance, TEXT_COLUMNS } from './texts/columns.ts';
import { procedureTexts, withText } from './texts/procedure-texts.ts';

/**
 * Text that PostgreSQL does not accept, at every entrance: it is rejected, or the part that can be
 * stored is kept, and nothing fails on it.
 */

const HOSTILE = { 'a NUL': 'a\0b', 'half a surrogate pair': 'a\ud83d' };

let trilho: TestService;
let account: Awaited<ReturnType<TestService['openAccount']>>;
let browser: PanelBrowser;
beforeAll(async () => {
  trilho = await startTestService();
  account = await trilho.openAccount({ currency: 'USDT_BSC', canCreateAccounts: true });
  browser = (await openMember(trilho, 'texts@example.com')).browser;
});
afterAll(() => trilho.stop());

type Procedure = (input: unknown) => Promise<unknown>;

test('every text column of the database is listed with the source of its text', async () => {
  const { rows } = await trilho.deps.db.pool.query<{ name: string }>(
    `SELECT c.relname || '.' || a.attname AS name
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
       AND a.atttypid IN ('text'::regtype, 'text[]'::regtype, 'varchar'::regtype, 'json'::regtype, 'jsonb'::regtype)
       AND c.relname NOT IN ('migrations', '_prisma_migrations')
     ORDER BY 1`,
  );
  const where = 'Say where the text of a new column comes from, in attack/texts/columns.ts';
  expect(
    rows.map(({ name }) => name),
    where,
  ).toEqual(Object.keys(TEXT_COLUMNS).sort());
});

test('no text makes a procedure fail, and a business field rejects a text that can’t be stored', async () => {
  const caller = (await panelCaller(trilho.deps, account.accountId)) as unknown as Record<
    string,
    Record<string, Procedure>
  >;
  const rejected = new Set<string>();
  const wrong: string[] = [];
  for (const { name, paths } of procedureTexts()) {
    const [router = '', procedure = ''] = name.split('.');
    const right = RULES[name]?.input(idsOfNothing(trilho.deps.clock())) ?? {};
    for (const path of paths) {
      let rejections = 0;
      for (const [what, text] of Object.entries(HOSTILE)) {
        try {
          await caller[router]?.[procedure]?.(withText(right, path, text));
        } catch (error) {
          if (isRejection(error)) rejections++;
          else wrong.push(`${name} ${path} with ${what}: ${(error as Error).message}`);
        }
      }
      if (rejections === Object.keys(HOSTILE).length) rejected.add(`${name} ${path}`);
    }
  }
  expect(wrong).toEqual([]);
  const entrances = Object.values(TEXT_COLUMNS).flatMap((source) => ('rejectedBy' in source ? source.rejectedBy : []));
  expect(entrances.filter((entrance) => !rejected.has(entrance))).toEqual([]);
});

const isRejection = (error: unknown) =>
  error instanceof TRPCError && (error.code === 'BAD_REQUEST' || error.cause instanceof DomainError);

test('no text in a query or a path makes the REST API fail', async () => {
  for (const text of ['%00', '%ED%A0%BD', 'a%00b']) {
    for (const path of [
      `/payments/transactions?cursor=${text}`,
      `/payments/transactions?type=${text}&status=${text}&from=${text}&external_id=${text}`,
      `/payments/quote?currency=${text}`,
      `/payments/transactions/${text}`,
      `/payments/transactions/${text}/status?type=${text}`,
    ])
      expect([path, (await trilho.get(path, account.apiKey)).status < 500]).toEqual([path, true]);
  }
});

/** Bodies that the endpoints of the sign-in accept. */
const passkey = { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'x', attestationObject: 'x' } };
const userVerified = { ...passkey.response, authenticatorData: Buffer.alloc(37, 4).toString('base64url') };
const PASSWORDS = { password: 'x', currentPassword: 'x', newPassword: 'uma frase bem longa demais' };
const AUTH_BODIES: Record<string, object> = {
  '/sign-in/email': { email: 'texts@example.com', password: 'x' },
  '/sign-out': { x: 'x' },
  '/sign-up/complete': { token: 'x', password: 'x' },
  '/invitation/accept': { token: 'x', name: 'x', password: 'x' },
  '/request-password-reset': { email: 'texts@example.com', redirectTo: 'x' },
  '/reset-password': { token: 'x', newPassword: 'x' },
  '/two-factor/verify-totp': { code: 'x' },
  '/two-factor/verify-backup-code': { code: 'x' },
  '/two-factor/enable': { password: 'x' },
  '/two-factor/disable': { password: 'x' },
  '/two-factor/generate-backup-codes': { password: 'x' },
  '/change-password': PASSWORDS,
  '/passkey/generate-register-options': { name: 'x' },
  '/passkey/verify-registration': { response: { ...passkey, transports: ['x'] }, name: 'x' },
  '/passkey/delete-passkey': { id: 'x' },
  '/passkey/generate-authenticate-options': { x: 'x' },
  '/passkey/verify-authentication': { response: { ...passkey, response: userVerified } },
};

test('an endpoint of the sign-in rejects a text that can’t be stored, and does not fail on it', async () => {
  expect(Object.keys(AUTH_BODIES).sort()).toEqual([...AUTH_PATHS].sort());
  const isGet = (path: string) => path.includes('/generate-') && path.endsWith('-options');
  for (const [path, body] of Object.entries(AUTH_BODIES)) {
    const json = JSON.stringify(body);
    for (const escaped of ['\\u0000', '\\ud83d']) {
      for (const at of json.matchAll(/:"|\["/g)) {
        const index = at.index + at[0].length;
        const hostile = `${json.slice(0, index)}${escaped}${json.slice(index)}`;
        const answer = isGet(path)
          ? await browser.get(`/api/auth${path}?name=%00`)
          : await browser.post(`/api/auth${path}`, hostile);
        expect([path, hostile, answer.status]).toEqual([path, hostile, 400]);
      }
    }
  }
});

const EMOJI = '😀';
/**
 * Longer than any text that is kept, so that each cut falls among surrogate pairs: once before and
 * once inside a pair.
 */
const LONG = [`\0\ud83d${EMOJI.repeat(5_000)}`, `a\0\ud83d${EMOJI.repeat(5_000)}`];

/** The length of a text that goes into an address. */
const QUERY_TEXT = 600;

/** Sends a text through each entrance, and returns what is kept of it. */
const ENTRANCES: Record<Entrance, (text: string) => Promise<string>> = {
  async 'request path'(text) {
    const mark = uuidv7(trilho.deps.clock());
    const query = `limit=${mark}&cursor=${encodeURIComponent(text.slice(0, QUERY_TEXT).toWellFormed())}`;
    const answer = await trilho.get(`/payments/transactions?${query}`, account.apiKey);
    const id = answer.headers.get('x-request-id');
    return trilho.until('the request is in the log', async () => {
      const { rows } = await trilho.deps.db.pool.query('SELECT * FROM request_records WHERE request_id = $1', [id]);
      return rows[0]?.path;
    });
  },
  async 'provider call'(text) {
    const { db, clock, log, observe, secretBox } = trilho.deps;
    const recorder = createProviderCallRecorder({ db, clock, log, observe, secretBox });
    const transactionId = uuidv7(clock());
    recorder.record({
      transactionId,
      rail: 'psp',
      operation: 'createCharge',
      method: 'PUT',
      target: text,
      status: 201,
      durationMs: 1,
      request: null,
      response: { message: text },
      secrets: [],
    });
    await recorder.stop();
    const { rows } = await db.pool.query<{ target: string; requestBody: null; responseBody: string }>(
      `SELECT target, request_body AS "requestBody", response_body AS "responseBody" FROM provider_calls WHERE transaction_id = $1`,
      [transactionId],
    );
    const [row] = rows.map((kept) => openBodies(secretBox, 'call', transactionId, kept));
    return `${row?.target}${row?.responseBody}`;
  },
  async 'receiver’s answer'(text) {
    const server = createServer((_req, res) => res.end(text));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { webhooks } = await panelCaller(trilho.deps, account.accountId);
      await webhooks.setEndpoint({
        topic: 'deposit',
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      });
      const { delivery_id } = await webhooks.sendTest({ topic: 'deposit' });
      return await trilho.until('the receiver has answered', async () => {
        const [attempt] = (await webhooks.delivery({ delivery_id })).tries;
        return attempt?.answer;
      });
    } finally {
      server.close();
    }
  },
  async callback(text) {
    const answer = await fetch(`${pixCallbackUrl(trilho.url, trilho.deps.secretBox, 'sandbox')}/pix`, {
      method: 'POST',
      body: text,
    });
    expect(answer.status).toBe(200);
    const { rows } = await trilho.deps.db.pool.query<{ id: string; body: string }>(
      'SELECT id, body FROM inbound_callbacks ORDER BY received_at DESC, id DESC LIMIT 1',
    );
    const { id = '', body = '' } = rows[0] ?? {};
    return trilho.deps.secretBox.open(body, sealContext('inbound_callbacks.body', { id }));
  },
  async audit(text) {
    const { merchantId } = account;
    const entry = { merchantId, memberId: null, accountId: null, ipAddress: null, at: trilho.deps.clock() };
    await insertAudit(trilho.deps.db, { ...entry, action: 'test.noted', details: { [text]: text }, userAgent: text });
    const { rows } = await trilho.deps.db.pool.query(
      `SELECT details::text || user_agent AS kept FROM audit_records WHERE action = 'test.noted' ORDER BY id DESC LIMIT 1`,
    );
    return rows[0].kept;
  },
  async 'file name'(text) {
    const name = encodeURIComponent(text.slice(0, QUERY_TEXT).toWellFormed());
    const answer = await fetch(`${trilho.url}/upload/test/kyc?kind=identity&name=${name}`, {
      method: 'POST',
      headers: {
        cookie: [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
        origin: trilho.url,
        'content-type': 'application/pdf',
      },
      body: new Uint8Array(pdfFile()),
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { file_name: string }).file_name;
  },
};

test.each(Object.entries(ENTRANCES))(
  'a text that comes in by the %s is kept as far as it can be stored',
  async (_name, letIn) => {
    for (const text of LONG) {
      const kept = await letIn(text);
      expect(isStorableText(kept)).toBe(true);
      expect(kept).toContain(EMOJI.repeat(20));
      // Half of a pair is well-formed again once the driver has written it: it shows as U+FFFD.
      expect(kept).not.toContain(`${EMOJI}\uFFFD`);
    }
  },
);
