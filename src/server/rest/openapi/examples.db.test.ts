import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WEBHOOK_BODIES } from '#contract/webhooks/webhook-bodies.ts';
import { addMember } from '#db/testing/add-member.ts';
import { PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { createApiKey } from '#services/api-keys/manage-api-keys.ts';
import { enterDispute } from '#services/disputes/manage-disputes.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { readEvents } from '#testing/read-events.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { type OpenApiDocument, restDocument, restProcedures } from './document.ts';
import { EXAMPLES } from './examples.ts';
import { follow, reencoded, schemaErrors } from './testing/document-checks.ts';
import { expectLike, findOperation, promised, send } from './testing/document-replay.ts';
import { startStoryClock } from './testing/start-story-clock.ts';

/**
 * The examples of the OpenAPI document, sent to a service in the order of their story: it answers
 * what they say.
 */

let trilho: TestService;
let apiKey: string;
/** The service's ids, by the ids of the examples. */
const ids = new Map<string, string>();

beforeAll(async () => {
  trilho = await startTestService({ clock: startStoryClock() });
  const fee = (bps: number, fixed: bigint) => ({ bps, fixedCentavos: fixed });
  const limit = (name: string, brl: bigint) => ({ name, centavos: brl * 100n });
  const account = await trilho.openAccount({
    email: EXAMPLES.account.get.output.data.email,
    currency: 'USDT_TRX',
    canCreateAccounts: true,
    webhookUrl: 'https://loja.example.com/webhooks/trilho',
    fees: [
      { type: 'pix_in', fee: fee(100, 0n) },
      { type: 'pix_out', fee: fee(0, 90n) },
      { type: 'crypto_in', fee: fee(150, 0n) },
      { type: 'crypto_out', fee: fee(150, 0n) },
    ],
    limits: [
      limit('minimal_value_in_crypto', 20n),
      limit('maximal_value_in_crypto', 50_000n),
      limit('minimal_value_out_crypto', 50n),
      limit('maximal_value_out_crypto', 20_000n),
      limit('daily_limit_out_crypto', 50_000n),
      limit('minimal_value_in_pix', 1n),
      limit('minimal_value_out_pix', 1n),
      limit('maximal_value_out_pix', 5_000n),
      limit('daily_limit_out_pix', 10_000n),
      limit('night_limit_out_pix', 1_000n),
    ],
  });
  const { accountId, merchantId } = account;
  apiKey = (await createApiKey(trilho.deps, { accountId, name: 'loja', permissions: PERMISSIONS }))?.apiKey ?? '';
  const maria = { id: randomUUID(), merchantId, email: 'maria@example.com', name: 'Maria da Silva' };
  await addMember(trilho.deps.db.pool, maria);
  const panel = await panelCaller(trilho.deps, accountId, { memberId: maria.id, email: maria.email, role: 'owner' });
  await panel.addressBook.addPixKey({ label: 'Fornecedor Azul', pixKey: '+5511987654321', pixKeyType: 'PHONE' });
  await trilho.pay(await charge(1000));
  await trilho.until('the account has money', async () => (await available()) > 0 || null);
  ids.set(EXAMPLES.transactions.cancel.input.transactionId, await charge(30));
  ids.set(EXAMPLES.withdrawals.cancelPix.input.transactionId, await scheduled());
});
afterAll(() => trilho.stop());

/** Opens a case about a charge that is paid. */
async function openDispute(): Promise<void> {
  const chargeId = await charge(80);
  await trilho.pay(chargeId);
  const dispute = { chargeId, reason: 'fraud', centavos: null, answerBy: null, by: byOperator('ana') } as const;
  await trilho.until('a case is open', async () => (await enterDispute(trilho.deps, dispute)) === 'opened' || null);
}

async function charge(amount: number): Promise<string> {
  return transactionIdOf(await trilho.post('/payments/transactions', apiKey, { amount }));
}
async function scheduled(): Promise<string> {
  return transactionIdOf(
    await trilho.post('/payments/transfers/pix', apiKey, {
      ...{ amount: 5, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' },
      scheduledFor: dateInSaoPaulo(new Date(trilho.deps.clock().getTime() + 7 * 24 * 3_600_000)),
    }),
  );
}
const available = async () =>
  ((await trilho.get('/payments/balance', apiKey)).body.data as { available_balance: number }).available_balance;
const detail = async (exampleId: string) =>
  (await trilho.get(`/payments/transactions/${ids.get(exampleId)}`, apiKey)).body.data as {
    status: string;
    refunds: { status: string }[];
  };
const clockTarget = async () =>
  ((await trilho.get('/test-clock', apiKey)).body.data as { target: string | null }).target;
const disableWithdrawals = (isDisabled: boolean) =>
  trilho.deps.db.pool.query("UPDATE endpoints SET disabled_at = $1 WHERE topic = 'withdrawal'", [
    isDisabled ? trilho.deps.clock() : null,
  ]);
const becomes = (exampleId: string, status: string) =>
  trilho.until(`it is ${status}`, async () => (await detail(exampleId)).status === status || null);

type Chapter = { operationId: string; open?: string[]; afterwards?: () => Promise<unknown> };

const CHARGE = EXAMPLES.transactions.get.input.transactionId;
const WITHDRAWAL = EXAMPLES.withdrawals.pix.output.data.transaction_id;
const INVOICE = EXAMPLES.deposits.crypto.output.data.transaction_id;
const CRYPTO_WITHDRAWAL = EXAMPLES.withdrawals.crypto.output.data.transaction_id;

/** `open`: where a value is the provider's own, or a list is longer than its example. */
const STORY: readonly Chapter[] = [
  {
    operationId: 'createPixCharge',
    afterwards: async () => {
      await trilho.pay(ids.get(CHARGE) ?? '');
      await becomes(CHARGE, 'paid');
    },
  },
  { operationId: 'getTransactionStatus' },
  { operationId: 'getStatement' },
  // Disabled, as by a receiver's 410: the events of the withdrawal are held.
  { operationId: 'getBalance', afterwards: () => disableWithdrawals(true) },
  { operationId: 'createPixWithdrawal', afterwards: () => becomes(WITHDRAWAL, 'paid') },
  { operationId: 'listEvents' },
  { operationId: 'getEvent', open: ['/data/body'], afterwards: () => disableWithdrawals(false) },
  { operationId: 'sendHeldEvents', open: ['/data/sending'] },
  // Whether there was an attempt by now, and how it ended, depends on the worker.
  { operationId: 'resendEvent', open: ['/data/deliveries/0/attempt_count', '/data/deliveries/0/last_attempt'] },
  { operationId: 'replayEvents', open: ['/data/sending'] },
  {
    operationId: 'refundTransaction',
    afterwards: () =>
      trilho.until('the refund is over', async () => (await detail(CHARGE)).refunds[0]?.status !== 'pending' || null),
  },
  { operationId: 'getTransaction' },
  { operationId: 'listTransactions' },
  { operationId: 'cancelTransaction', afterwards: openDispute },
  { operationId: 'listDisputes' },
  { operationId: 'answerDispute' },
  { operationId: 'getDispute' },
  { operationId: 'listCurrencies', open: ['/data'] },
  { operationId: 'getQuote' },
  { operationId: 'listPayees' },
  {
    operationId: 'createCryptoDeposit',
    open: ['/data/wallet_hash', '/data/qr_code'],
    afterwards: async () => {
      await trilho.pay(ids.get(INVOICE) ?? '');
      await becomes(INVOICE, 'completed');
    },
  },
  { operationId: 'cancelPixWithdrawal' },
  { operationId: 'createCryptoWithdrawal', afterwards: () => becomes(CRYPTO_WITHDRAWAL, 'completed') },
  { operationId: 'createAccount' },
  { operationId: 'getAccount' },
  { operationId: 'getLimits' },
  { operationId: 'createWebhookEndpoint', open: ['/data/secret'] },
  { operationId: 'listWebhookEndpoints' },
  { operationId: 'getWebhookEndpoint' },
  { operationId: 'updateWebhookEndpoint' },
  { operationId: 'rotateWebhookEndpointSecret', open: ['/data/secret'] },
  {
    operationId: 'testWebhookEndpoint',
    afterwards: async () => {
      const { body } = await trilho.post('/webhook-endpoints', apiKey, EXAMPLES.endpoints.create.input);
      ids.set(EXAMPLES.endpoints.remove.input.endpointId, (body.data as { endpoint_id: string }).endpoint_id);
    },
  },
  {
    operationId: 'removeWebhookEndpoint',
    // Nobody is at the story's URLs: the clock would stop at each further attempt of each event.
    afterwards: () => trilho.asOwner("DELETE FROM tasks WHERE kind = 'deliver_webhook'"),
  },
  // Last: everything else is of the service's own time.
  {
    operationId: 'advanceTestClock',
    open: ['/data/now', '/data/target', '/data/ahead_seconds'],
    afterwards: () => trilho.until('the clock has arrived', async () => (await clockTarget()) === null || null),
  },
  { operationId: 'getTestClock', open: ['/data/now', '/data/ahead_seconds'] },
];

let document: OpenApiDocument;

test('the document is served, and is the one of the procedures', async () => {
  const { status, headers, body } = await trilho.get('/api/openapi.json');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(body).toEqual(JSON.parse(JSON.stringify(restDocument())));
  document = body as unknown as OpenApiDocument;
});

test('the story contains every operation', () => {
  const all = Object.values(document.paths).flatMap((path) => Object.values(path).map((one) => one.operationId));
  expect(STORY.map(({ operationId }) => operationId).sort()).toEqual(all.sort());
});

describe('each example', () => {
  // ASVS 15.3.1
  test.each(STORY)(
    '$operationId is accepted, and answered as it says',
    async ({ operationId, open = [], afterwards }) => {
      const found = findOperation(document, operationId);
      const { status, schema, example } = promised(document, found);
      // A POST happens once; a GET is the same under both prefixes.
      for (const { url } of found.method === 'GET' ? document.servers : document.servers.slice(0, 1)) {
        const answer = await send(trilho, found, { apiKey, prefix: url === '/' ? '' : url, ids });
        expect(answer.status, answer.text).toBe(status);
        expectLike(answer.body, example, ids, '', open);
        expect(schemaErrors(document, schema, answer.body)).toEqual([]);
        const procedure = restProcedures().find(({ meta }) => meta.openapi.operationId === operationId);
        if (!procedure) throw new Error(`There is no procedure ${operationId}.`);
        expect(reencoded(procedure.outputSchema, answer.body)).toEqual(answer.body);
        for (const name of [
          'x-request-id',
          'x-api-version',
          'RateLimit-Limit',
          'RateLimit-Remaining',
          'RateLimit-Reset',
        ])
          expect(answer.headers.has(name), name).toBe(true);
      }
      await afterwards?.();
    },
  );
});

test('every event of the story has the body that the document gives its type', async () => {
  const events = await readEvents(trilho.deps);
  const types = new Set(events.map(({ type }) => type));
  const pix = ['pix_in.paid', 'pix_in.refunded', 'pix_in.cancelled', 'pix_out.paid'];
  expect([...types]).toEqual(expect.arrayContaining([...pix, 'crypto_in.completed', 'crypto_out.completed']));
  for (const { type, body: text } of events) {
    const body: unknown = JSON.parse(text);
    const { schema } = follow<NonNullable<OpenApiDocument['webhooks'][string]>>(
      document,
      document.webhooks[type] ?? { $ref: `#/webhooks/${type}` },
    ).post.requestBody.content['application/json'];
    expect(schemaErrors(document, schema, body), type).toEqual([]);
    const contract = Object.values(WEBHOOK_BODIES).find(({ shape }) => (shape.type.options as string[]).includes(type));
    if (!contract) throw new Error(`There is no body of ${type}.`);
    expect(reencoded(contract, body)).toEqual(body);
  }
});
