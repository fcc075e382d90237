import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '#db/testing/add-member.ts';
import { generateApiKey } from '#domain/api-keys/api-key-format.ts';
import { PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { API_ERROR_CODES } from '#domain/errors/error-catalogue.ts';
import { PAYEE_WAIT_MS } from '#domain/payees/payees.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { API_ENDPOINTS_MAX } from '#domain/webhooks/api-endpoints.ts';
import type { OpenAccountInput } from '#services/accounts/open-account.ts';
import { createApiKey, type OperatorKeyInput } from '#services/api-keys/manage-api-keys.ts';
import { endDispute, enterDispute, giveAnswer } from '#services/disputes/manage-disputes.ts';
import { switchRail } from '#services/rails/switch-rail.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { type Answer, startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { BODY_BYTES_MAX } from '../body.ts';
import { exampleOf, restDocument, restProcedures } from './document.ts';
import { DESTINATION_WALLET } from './document-ids.ts';
import { follow, schemaErrors } from './testing/document-checks.ts';
import { findOperation, promisedError, type Sending, send } from './testing/document-replay.ts';
import { BEGIN, CRYPTO_IN, CRYPTO_OUT, PIX_IN, PIX_OUT, ROWS } from './testing/error-rows.ts';

/**
 * The error examples of the OpenAPI document, each provoked at a service, which answers exactly
 * what they say.
 */

let offset = BEGIN - Date.now();
let trilho: TestService;
const keys = {
  rich: '',
  opener: '',
  other: '',
  unverified: '',
  unconnected: '',
  limited: '',
  switchedOff: '',
  withoutCurrency: '',
  elsewhere: '',
  powerless: '',
  paused: '',
  onlyPayees: '',
  payeesWait: '',
  suspended: '',
  unknown: generateApiKey('test'),
};
/** Transactions of the rich account. */
const charges = { paid: '', pending: '', invoice: '', disputed: '', withdrawal: '' };
/** Cases about the rich account's charges. */
const disputes = { open: '', answered: '', closed: '', late: '' };
/** An event about its paid charge, held because it has no webhook. */
let heldEvent = '';

beforeAll(async () => {
  trilho = await startTestService({
    clock: () => new Date(offset + Date.now()),
    variables: { REQUIRE_OWN_CREDENTIALS: 'true' },
  });
  const limit = (name: string, brl: bigint) => ({ name, centavos: brl * 100n });
  const open = async (input: Partial<OpenAccountInput>) => {
    const { accountId } = await trilho.openAccount({ currency: 'USDT_BSC', ...input });
    const key = await createApiKey(trilho.deps, { accountId, name: 'x', permissions: PERMISSIONS });
    return key?.apiKey ?? '';
  };
  keys.rich = await open({
    limits: [
      limit('minimal_value_in_pix', 1n),
      limit('maximal_value_in_pix', 5_000n),
      limit('minimal_value_out_pix', 1n),
      limit('maximal_value_out_pix', 5_000n),
      limit('minimal_value_in_crypto', 1n),
      limit('maximal_value_in_crypto', 5_000n),
      limit('minimal_value_out_crypto', 1n),
      limit('maximal_value_out_crypto', 5_000n),
    ],
  });
  keys.opener = await open({ canCreateAccounts: true });
  keys.other = await open({});
  keys.unverified = await open({ kycStatus: 'pending', mode: 'live' });
  keys.unconnected = await open({ mode: 'live' });
  keys.limited = await open({
    limits: [
      limit('daily_limit_out_pix', 20n),
      limit('night_limit_out_pix', 10n),
      limit('daily_limit_out_crypto', 20n),
    ],
  });
  keys.switchedOff = await open({ inactiveRails: ['pix_in', 'pix_out', 'crypto_in', 'crypto_out'] });
  keys.withoutCurrency = await open({ currency: null });
  const { accountId } = await trilho.openAccount({ currency: 'USDT_BSC' });
  const add = async (input: Partial<OperatorKeyInput>) =>
    (await createApiKey(trilho.deps, { accountId, name: 'x', ...input }))?.apiKey ?? '';
  keys.elsewhere = await add({ allowedIps: ['203.0.113.0/24'] });
  keys.powerless = await add({ permissions: [] });
  keys.paused = await pausedKey();
  keys.onlyPayees = await payeesKey(false);
  keys.payeesWait = await payeesKey(true);
  const suspended = await trilho.openAccount();
  keys.suspended = suspended.apiKey;
  await trilho.deps.db.pool.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [suspended.accountId]);
  charges.paid = await paidCharge(1000);
  charges.pending = await charge(10);
  const invoice = await trilho.post('/payments/deposits/crypto', keys.rich, { amount: 100 });
  charges.invoice = transactionIdOf(invoice);
  const sent = await trilho.post('/payments/transfers/pix', keys.rich, {
    ...{ amount: 1, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' },
  });
  charges.withdrawal = transactionIdOf(sent);
  charges.disputed = await paidCharge(20);
  disputes.open = await disputed(charges.disputed);
  disputes.answered = await disputed(await paidCharge(21));
  const given = { id: disputes.answered, accountId: null, answer: 'contest', text: null } as const;
  await giveAnswer(trilho.deps, { ...given, by: byOperator('ana') });
  disputes.closed = await disputed(await paidCharge(22));
  await endDispute(trilho.deps, { id: disputes.closed, to: 'won', by: byOperator('ana') });
  disputes.late = await disputed(await paidCharge(23), new Date(BEGIN - 1000));
  const events = await trilho.get(`/events?transaction_id=${charges.paid}`, keys.rich);
  heldEvent = (events.body.data as { event_id: string }[])[0]?.event_id ?? '';
});
afterAll(() => trilho.stop());

/** A key that was made by a member who set a new password by mail at BEGIN. */
async function pausedKey(): Promise<string> {
  const { accountId, merchantId, apiKey } = await trilho.openAccount({ currency: 'USDT_BSC' });
  const memberId = randomUUID();
  const until = new Date(BEGIN + 24 * 3_600_000);
  const member = { id: memberId, merchantId, email: `${memberId}@example.com`, withdrawalsBlockedUntil: until };
  await addMember(trilho.deps.db.pool, member);
  await trilho.deps.db.pool.query('UPDATE api_keys SET created_by_id = $2 WHERE account_id = $1', [
    accountId,
    memberId,
  ]);
  return apiKey;
}

/**
 * A key of an account that sends to payees only: it has none, or the examples' receivers, who wait.
 */
async function payeesKey(areAdded: boolean): Promise<string> {
  const { accountId, apiKey } = await trilho.openAccount({ currency: 'USDT_BSC' });
  const panel = await panelCaller(trilho.deps, accountId);
  await panel.thresholds.set({ kind: 'payees', amount: 0 });
  if (!areAdded) return apiKey;
  await panel.addressBook.addPixKey({ label: 'Ana', pixKey: '11987654321', pixKeyType: 'PHONE' });
  await panel.addressBook.addWallet({ label: 'Carteira', network: 'bsc', wallet: DESTINATION_WALLET, memo: null });
  await trilho.deps.db.pool.query('UPDATE payees SET usable_from = $2 WHERE account_id = $1', [
    ...[accountId, new Date(BEGIN + PAYEE_WAIT_MS)],
  ]);
  return apiKey;
}

async function charge(amount: number): Promise<string> {
  return transactionIdOf(await trilho.post('/payments/transactions', keys.rich, { amount }));
}

const paidCharge = (amount: number) => makePaidCharge(trilho, keys.rich, { amount });

/** Opens a case about a charge; returns its id. */
async function disputed(chargeId: string, answerBy: Date | null = null): Promise<string> {
  await enterDispute(trilho.deps, { chargeId, reason: 'fraud', centavos: null, answerBy, by: byOperator('ana') });
  const { body } = await trilho.get('/payments/disputes?limit=1', keys.rich);
  return (body.data as { dispute_id: string }[])[0]?.dispute_id ?? '';
}

const document = restDocument();
const OPERATIONS = restProcedures().map(({ name, meta }) => ({
  operationId: meta.openapi.operationId ?? '',
  permission: meta.permission,
  isPost: meta.openapi.method === 'POST',
  rejected: Object.entries(exampleOf(name).rejected ?? {}),
}));

/** A key that may call the operation. */
const keyFor = (operationId: string) => (operationId === 'createAccount' ? keys.opener : keys.rich);

/** Errors that are answered with a time to retry. */
const RETRIED = new Set(['idempotency_key_running', 'rate_limited', 'rail_closed', 'too_many_test_events']);

/**
 * Sends an operation's example, changed, and expects the documented answer of this error to the
 * letter.
 */
async function expectError(operationId: string, code: string, sending: Sending): Promise<void> {
  expectAnswer(operationId, code, await send(trilho, findOperation(document, operationId), sending));
}

/**
 * The details are those of the example's input: `code` for another reason, which is not about a
 * field, has none.
 */
function expectAnswer(operationId: string, code: string, answer: Answer): void {
  const { status, body } = promisedError(document, findOperation(document, operationId), code);
  const promised = { ...(body as object), ...(!('details' in answer.body) && { details: undefined }) };
  expect([answer.status, answer.body]).toEqual([status, promised]);
  const response = findOperation(document, operationId).operation.responses[status];
  const { schema } = follow(document, response ?? { $ref: '' }).content['application/json'];
  expect(schemaErrors(document, schema, answer.body)).toEqual([]);
  if (RETRIED.has(code)) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe.each(OPERATIONS)('$operationId', ({ operationId, rejected }) => {
  test('rejects a missing key, and one that was never issued', async () => {
    await expectError(operationId, 'api_key_missing', {});
    await expectError(operationId, 'api_key_invalid', { apiKey: keys.unknown });
  });

  test('rejects a key that may come from elsewhere only', async () => {
    await expectError(operationId, 'ip_not_allowed', { apiKey: keys.elsewhere });
  });

  test('rejects a version that is not served', async () => {
    const headers = { 'x-api-version': '2026-11-19' };
    await expectError(operationId, 'unsupported_version', { apiKey: keyFor(operationId), headers });
  });

  test('rejects the key of a suspended account', async () => {
    await expectError(operationId, 'account_suspended', { apiKey: keys.suspended });
  });

  test.each(rejected)('answers %s when a field is wrong', async (code, change) => {
    const answer = await send(trilho, findOperation(document, operationId), { apiKey: keyFor(operationId), change });
    expect(answer.body.details).toBeDefined();
    expectAnswer(operationId, code, answer);
  });
});

test.each(OPERATIONS.filter(({ permission }) => permission))(
  '$operationId rejects a key that has not its permission',
  async ({ operationId }) => expectError(operationId, 'permission_denied', { apiKey: keys.powerless }),
);

describe.each(OPERATIONS.filter(({ isPost }) => isPost))('$operationId', ({ operationId }) => {
  test('rejects a body that is no JSON, too large, or of another type', async () => {
    const apiKey = keys.rich;
    await expectError(operationId, 'invalid_json', { apiKey, body: '{' });
    await expectError(operationId, 'body_too_large', { apiKey, body: { text: 'x'.repeat(BODY_BYTES_MAX) } });
    await expectError(operationId, 'unsupported_media_type', { apiKey, headers: { 'content-type': 'text/plain' } });
  });

  test('rejects an Idempotency-Key of a wrong form, or of another request', async () => {
    const apiKey = keyFor(operationId);
    const key = (value: string) => ({ apiKey, headers: { 'idempotency-key': value } });
    await expectError(operationId, 'invalid_idempotency_key', key('x'.repeat(256)));
    const used = `used-${operationId}`;
    await trilho.post('/payments/transactions', apiKey, { amount: 12.34 }, { 'idempotency-key': used });
    await expectError(operationId, 'idempotency_key_reused', key(used));
  });
});

test.each(ROWS)('$operationId answers $code', async ({ code, operationId, key = 'rich', switched, at, ...row }) => {
  const transactionId = row.charge && { transactionId: charges[row.charge] };
  const disputeId = row.dispute && { disputeId: disputes[row.dispute] };
  const change = { ...row.change, ...transactionId, ...disputeId, ...(row.event && { eventId: heldEvent }) };
  if (switched) await trilho.setSwitch(...switched);
  if (at) offset = at - Date.now();
  try {
    await expectError(operationId, code, { apiKey: keys[key], change });
  } finally {
    offset = BEGIN - Date.now();
    if (switched) await trilho.setSwitch(switched[0], 'ok');
  }
});

test.each([PIX_IN, PIX_OUT, CRYPTO_IN, CRYPTO_OUT])(
  '%s answers reference_taken, with who has the reference',
  async (operationId) => {
    const operation = findOperation(document, operationId);
    const sending = { apiKey: keys.rich, change: { reference: `taken ${operationId}`, referenceUnique: true } };
    const { body } = await send(trilho, operation, sending);
    const answer = await send(trilho, operation, sending);
    const promised = promisedError(document, operation, 'reference_taken');
    expect([answer.status, answer.body]).toEqual([
      promised.status,
      { ...(promised.body as object), transaction_id: (body.data as { transaction_id: string }).transaction_id },
    ]);
  },
);

test('sending crypto to a deposit address of the service is rejected, of whichever account it is', async () => {
  const { body } = await trilho.post('/payments/deposits/crypto', keys.other, { amount: 100 });
  const { wallet_hash: wallet } = body.data as { wallet_hash: string };
  for (const spelling of [wallet, ` ${wallet.toLowerCase()} `]) {
    const sending = { apiKey: keys.rich, change: { wallet: spelling, currency: 'USDT_BSC' } };
    await expectError(CRYPTO_OUT, 'own_deposit_address', sending);
    await expectError(CRYPTO_OUT, 'own_deposit_address', {
      ...sending,
      change: { ...sending.change, currency: 'BNB' },
    });
  }
});

test.each([
  ['pix_in', PIX_IN],
  ['pix_out', PIX_OUT],
  ['crypto_in', CRYPTO_IN],
  ['crypto_out', CRYPTO_OUT],
] as const)('a request over %s is rejected while the rail is off', async (rail, operationId) => {
  const operator = { ...trilho.deps, operator: 'ana' };
  const operation = findOperation(document, operationId);
  await switchRail(operator, { rail, reason: 'manutenção no banco' });
  // Every process hears of it within moments.
  await trilho.until(
    'it is off',
    async () => (await send(trilho, operation, { apiKey: keys.rich })).status === 503 || null,
  );
  await expectError(operationId, 'rail_closed', { apiKey: keys.rich });
  await switchRail(operator, { rail, reason: null });
  await trilho.until(
    'it is on',
    async () => (await send(trilho, operation, { apiKey: keys.rich })).status !== 503 || null,
  );
});

test('refunding more than the account has left is rejected', async () => {
  const { apiKey } = await trilho.openAccount({ fees: [{ type: 'pix_in', fee: { bps: 5000, fixedCentavos: 0n } }] });
  const transactionId = await makePaidCharge(trilho, apiKey, { amount: 10 });
  await expectError('refundTransaction', 'insufficient_funds', { apiKey, change: { transactionId } });
});

test('opening an account that exists already is rejected', async () => {
  const { apiKey } = await trilho.openAccount({ canCreateAccounts: true });
  const create = findOperation(document, 'createAccount');
  expect((await send(trilho, create, { apiKey })).status).toBe(201);
  await expectError('createAccount', 'account_exists', { apiKey });
});

test('too many endpoints, a test of a disabled one, too many tests, and a rotation during an overlap are rejected', async () => {
  const { accountId } = await trilho.openAccount();
  const { apiKey = '' } =
    (await createApiKey(trilho.deps, { accountId, name: 'x', permissions: ['webhooks:write'] })) ?? {};
  const create = (change = {}) => send(trilho, findOperation(document, 'createWebhookEndpoint'), { apiKey, change });
  const ids: string[] = [];
  for (let n = 0; n < API_ENDPOINTS_MAX; n++) {
    const { body } = await create({ enabled: n > 0 });
    ids.push((body.data as { endpoint_id: string }).endpoint_id);
  }
  await expectError('createWebhookEndpoint', 'too_many_endpoints', { apiKey });
  const of = (endpointId = '') => ({ apiKey, change: { endpointId } });
  await expectError('testWebhookEndpoint', 'endpoint_disabled', of(ids[0]));
  await trilho.deps.db.pool.query(
    `INSERT INTO events (id, account_id, type, body, created_at)
     SELECT unnest($2::uuid[]), $1, 'webhook.test', '', $3`,
    [accountId, Array.from({ length: 20 }, () => uuidv7(trilho.deps.clock())), trilho.deps.clock()],
  );
  await expectError('testWebhookEndpoint', 'too_many_test_events', of(ids[1]));
  await send(trilho, findOperation(document, 'rotateWebhookEndpointSecret'), of(ids[1]));
  await expectError('rotateWebhookEndpointSecret', 'secret_overlap', of(ids[1]));
});

test('a request whose first try is still at work is rejected', async () => {
  const sending = { apiKey: keys.rich, headers: { 'idempotency-key': 'slow' } };
  const client = await trilho.deps.db.pool.connect();
  try {
    // The first try waits behind this.
    await client.query('BEGIN; LOCK TABLE transactions IN EXCLUSIVE MODE');
    const first = send(trilho, findOperation(document, PIX_IN), sending);
    await trilho.until('the first try is at work', async () => {
      const { rows } = await trilho.deps.db.pool.query('SELECT FROM idempotency_keys WHERE status IS NULL');
      return rows.length > 0 || null;
    });
    await expectError(PIX_IN, 'idempotency_key_running', sending);
    await client.query('ROLLBACK');
    // On a busy machine it has waited for the lock too long, and is rejected.
    expect([200, 503]).toContain((await first).status);
  } finally {
    client.release(true);
  }
});

test('a clock that is being moved is not moved again', async () => {
  const { accountId, apiKey } = await trilho.openAccount();
  // By a worker that holds it for as long as this test takes.
  await trilho.deps.db.pool.query(
    `INSERT INTO test_clocks (account_id, target_at, holder, held_until, moved_at)
     VALUES ($1, $3, $2, $3, $3)`,
    [accountId, randomUUID(), new Date(trilho.deps.clock().getTime() + 60 * 60_000)],
  );
  const operationId = 'advanceTestClock';
  expectAnswer(operationId, 'clock_moving', await send(trilho, findOperation(document, operationId), { apiKey }));
});

test('more requests than a key may send are rejected', async () => {
  const strict = await startTestService({ beside: trilho, variables: { RATE_LIMIT_PER_KEY: '1', ROLE: 'web' } });
  const { apiKey } = await trilho.openAccount();
  const balance = findOperation(document, 'getBalance');
  await send(strict, balance, { apiKey });
  expectAnswer('getBalance', 'rate_limited', await send(strict, balance, { apiKey }));
  expectAnswer(CRYPTO_IN, 'rate_limited', await send(strict, findOperation(document, CRYPTO_IN), { apiKey }));
  await strict.stop();
});

test('every error of the document is provoked here, but for those that are listed', () => {
  const here = [
    ...ROWS.map(({ code }) => code),
    ...OPERATIONS.flatMap(({ rejected }) => rejected.map(([code]) => code)),
    ...[
      'api_key_missing',
      'api_key_invalid',
      'unsupported_version',
      'ip_not_allowed',
      'account_suspended',
      'invalid_json',
      'body_too_large',
      'unsupported_media_type',
    ],
    ...[
      'invalid_idempotency_key',
      'idempotency_key_reused',
      'idempotency_key_running',
      'rate_limited',
      'account_exists',
      'reference_taken',
      'own_deposit_address',
      'rail_closed',
    ],
    ...['too_many_endpoints', 'endpoint_disabled', 'too_many_test_events', 'secret_overlap', 'clock_moving'],
  ];
  const missing = API_ERROR_CODES.filter((code) => !here.includes(code));
  // Errors of /mcp, of a picture, and of what is no operation; a PSP that does not confirm a
  // cancellation and our own failures are tested where they are made.
  expect(missing).toEqual([
    'key_call_cap_exceeded',
    'key_day_cap_reached',
    'origin_not_allowed',
    'charge_not_cancelled',
    'charge_not_payable',
    'bad_request',
    'route_not_found',
    'method_not_allowed',
    'unavailable',
    'internal',
  ]);
});
