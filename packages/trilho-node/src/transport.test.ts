import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { ConflictError, ConnectionError, OutcomeUnknownError, RateLimitError, ServerError } from './errors.ts';
import { createScriptedFetch, errorStep, networkError, type Step } from './testing/scripted-fetch.ts';
import { createTransport, type TransportConfig } from './transport.ts';

const CHARGE = 'POST /payments/transactions';
const BALANCE = 'GET /payments/balance';
const CREATED = { status: 200, body: { success: true, data: { transaction_id: 'x' } } };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function scripted(steps: Step[], overrides?: Partial<TransportConfig>) {
  const script = createScriptedFetch(steps, overrides);
  const { request } = createTransport(script.config);
  const charge = (options = {}) => request(CHARGE, { body: { amount: 10 } }, options);
  return { ...script, request, charge, balance: (options = {}) => request(BALANCE, {}, options) };
}

/** The error with which a promise is rejected. */
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error('It succeeded.');
    },
    (error: unknown) => error,
  );

describe('a POST', () => {
  test('gets a random key, another with each call', async () => {
    const { charge, keys } = scripted([CREATED, CREATED]);
    await charge();
    await charge();
    expect(keys()).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(new Set(keys()).size).toBe(2);
  });

  test('is repeated under the same key, the caller’s or its own', async () => {
    const lost = [networkError('ECONNRESET'), errorStep(500, 'internal'), CREATED];
    const own = scripted(lost);
    await own.charge();
    expect(own.keys()).toEqual(Array(3).fill(own.keys()[0]));
    const given = scripted(lost);
    await given.charge({ idempotencyKey: 'pedido-42' });
    expect(given.keys()).toEqual(Array(3).fill('pedido-42'));
    expect(new Set(given.sent.map(({ body }) => body))).toEqual(new Set(['{"amount":10}']));
  });

  test.each([
    networkError('ECONNRESET'),
    { status: 200, text: '<html>' },
    { status: 200, text: 'null' },
    { status: 200, text: '{"status":"up"}' },
    errorStep(409, 'idempotency_key_running'),
    errorStep(429, 'rate_limited'),
    errorStep(503, 'unavailable'),
    { status: 502, text: '<html>' },
  ])('is sent again after %o', async (step) => {
    const { charge, sent } = scripted([step, CREATED]);
    expect(await charge()).toEqual(CREATED.body);
    expect(sent).toHaveLength(2);
  });

  test.each([
    errorStep(400, 'invalid_amount'),
    errorStep(401, 'api_key_invalid'),
    errorStep(403, 'withdrawals_paused'),
    errorStep(409, 'reference_taken'),
    errorStep(422, 'idempotency_key_reused'),
    errorStep(503, 'rail_closed', {}, { 'retry-after': '1' }),
    { status: 302, headers: { location: 'https://elsewhere.example.com' } },
  ])('is not sent again after %o', async (step) => {
    const { charge, sent } = scripted([step, CREATED]);
    await expect(charge()).rejects.toMatchObject({ status: step.status });
    expect(sent).toHaveLength(1);
  });

  test('whose connection was lost ends as unknown, with the key that settles it', async () => {
    const { charge, sent } = scripted(Array(6).fill(networkError('ECONNRESET')));
    const error = await failure(charge({ idempotencyKey: 'pedido-42' }));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ idempotencyKey: 'pedido-42', cause: expect.any(ConnectionError) });
    expect(sent).toHaveLength(6);
  });

  test.each([
    ['a failure of the service', errorStep(500, 'internal'), ServerError],
    ['a gateway’s time-out', { status: 504, text: '<html>' }, ServerError],
    ['a first request that is still running', errorStep(409, 'idempotency_key_running'), ConflictError],
  ])('that ends with %s is unknown', async (_, step, cause) => {
    const { charge } = scripted([step]);
    expect(await failure(charge({ maxRetries: 0 }))).toMatchObject({
      name: 'OutcomeUnknownError',
      idempotencyKey: expect.stringMatching(UUID),
      cause: expect.any(cause),
    });
  });

  test.each([
    errorStep(401, 'api_key_invalid'),
    errorStep(403, 'ip_not_allowed'),
    errorStep(503, 'rail_closed'),
    { status: 404, text: '<html>' },
  ])('that was lost stays unknown when its repetition is rejected before the key is read: %o', async (step) => {
    const { charge } = scripted([networkError('ECONNRESET'), step]);
    expect(await failure(charge())).toMatchObject({ name: 'OutcomeUnknownError', cause: { status: step.status } });
  });

  test('that was lost is known again once its repetition is answered', async () => {
    const { charge } = scripted([networkError('ECONNRESET'), errorStep(400, 'insufficient_funds')]);
    expect(await failure(charge())).toMatchObject({ name: 'InvalidRequestError', code: 'insufficient_funds' });
  });

  test.each(['EHOSTUNREACH', 'ENETUNREACH'])(
    'whose network went away after it was sent (%s) ends as unknown',
    async (code) => {
      for (const syscall of ['read', 'write']) {
        const { charge } = scripted([networkError(code, syscall), networkError(code, 'connect')]);
        expect(await failure(charge({ maxRetries: 1 }))).toMatchObject({ name: 'OutcomeUnknownError' });
      }
    },
  );

  test.each([
    ['ECONNREFUSED', 'connect'],
    ['EHOSTUNREACH', 'connect'],
    ['ENOTFOUND', 'getaddrinfo'],
    // Of several addresses; their errors have the system call.
    ['ECONNREFUSED', undefined],
    ['UND_ERR_CONNECT_TIMEOUT', undefined],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', undefined],
  ])('that was never sent (%s of %s) does not end as unknown', async (code, syscall) => {
    const { charge, sent } = scripted(Array(3).fill(networkError(code, syscall)));
    const error = await failure(charge({ maxRetries: 2 }));
    expect(error).toBeInstanceOf(ConnectionError);
    const message = `The connection failed: ${code}.`;
    expect(error).toMatchObject({ idempotencyKey: expect.stringMatching(UUID), message });
    expect(sent).toHaveLength(3);
  });
});

test('a call whose wait ends after its time, on a machine that slept, is not sent again', async () => {
  let nowMs = 0;
  const sleep = async () => {
    nowMs = 3_600_000;
  };
  const { charge, sent } = scripted([networkError('ECONNREFUSED'), CREATED], { nowMs: () => nowMs, sleep });
  expect(await failure(charge())).toMatchObject({ name: 'ConnectionError' });
  expect(sent).toHaveLength(1);
});

test('an answer larger than any of the service is read no further, and not taken for one', async () => {
  let [pulled, cancelled] = [0, 0];
  const part = new Uint8Array(2 ** 20).fill(32);
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (stream) => {
        pulled += 1;
        stream.enqueue(part);
        if (pulled > 200) stream.close();
      },
      cancel: () => {
        cancelled += 1;
      },
    });
  const { charge } = scripted([{ status: 200, text: endless() }]);
  expect(await failure(charge({ maxRetries: 0 }))).toMatchObject({
    name: 'OutcomeUnknownError',
    cause: { message: `The answer was larger than ${64 * 2 ** 20} bytes.` },
  });
  expect([pulled < 70, cancelled]).toEqual([true, 1]);
});

test('an answer in parts is read whole, also where a letter is divided between them', async () => {
  const bytes = new TextEncoder().encode('{"success":true,"data":{"description":"São José"}}');
  const parts = [...bytes].map((byte) => Uint8Array.of(byte));
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  const { charge } = scripted([{ status: 200, text: stream }]);
  expect(await charge()).toEqual({ success: true, data: { description: 'São José' } });
});

describe('a GET', () => {
  test('has no key, and is repeated', async () => {
    const { balance, keys } = scripted([networkError('ECONNRESET'), errorStep(500, 'internal'), CREATED]);
    await balance();
    expect(keys()).toEqual([null, null, null]);
  });

  test('never ends as unknown', async () => {
    const lost = scripted([networkError('ECONNRESET')]);
    expect(await failure(lost.balance({ maxRetries: 0 }))).toMatchObject({ name: 'ConnectionError' });
    const failed = scripted([errorStep(500, 'internal')]);
    expect(await failure(failed.balance({ maxRetries: 0 }))).toMatchObject({ name: 'ServerError' });
  });
});

describe('the time of a call', () => {
  test('has waits that grow from retry to retry and never end before Retry-After', async () => {
    const later = errorStep(429, 'rate_limited', {}, { 'retry-after': '7' });
    const { charge, slept } = scripted([networkError('X'), errorStep(503, 'unavailable'), later, CREATED]);
    await charge();
    expect(slept).toEqual([375, 750, 7_125]);
  });

  test('has a limit that no wait exceeds', async () => {
    const later = errorStep(429, 'rate_limited', {}, { 'retry-after': '61' });
    const { charge, slept } = scripted([later]);
    expect(await failure(charge())).toMatchObject({ name: 'RateLimitError', retryAfterMs: 61_000 });
    expect(slept).toEqual([]);
    const short = scripted(Array(6).fill(errorStep(429, 'rate_limited')));
    expect(await failure(short.charge({ totalTimeoutMs: 2_000 }))).toBeInstanceOf(RateLimitError);
    expect(short.slept).toEqual([375, 750]);
  });

  test('has a limit for each try: one without an answer ends after timeoutMs', async () => {
    const { charge, balance } = scripted(['silence', 'silence']);
    expect(await failure(charge({ timeoutMs: 5, maxRetries: 0 }))).toMatchObject({
      name: 'OutcomeUnknownError',
      cause: { message: 'No answer within 5 ms.' },
    });
    expect(await failure(balance({ timeoutMs: 5, maxRetries: 0 }))).toMatchObject({ name: 'ConnectionError' });
  });

  test.each([{ timeoutMs: Number.NaN }, { totalTimeoutMs: 0 }, { maxRetries: -1 }, { maxRetries: 1.5 }])(
    'is rejected with an invalid limit: %o',
    async (options) => {
      const { charge, sent } = scripted([CREATED]);
      await expect(charge(options)).rejects.toThrow(RangeError);
      expect(sent).toEqual([]);
    },
  );
});

describe('the caller’s signal', () => {
  const reason = new Error('The user left.');

  test('ends a call before it is sent with its own reason', async () => {
    const { charge, sent } = scripted([CREATED]);
    expect(await failure(charge({ signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(sent).toEqual([]);
  });

  test('ends a GET at once with its own reason, and a POST as unknown', async () => {
    for (const name of ['balance', 'charge'] as const) {
      const controller = new AbortController();
      const call = failure(scripted(['silence'])[name]({ signal: controller.signal, maxRetries: 0 }));
      controller.abort(reason);
      const expected =
        name === 'balance' ? reason : expect.objectContaining({ name: 'OutcomeUnknownError', cause: reason });
      expect(await call).toEqual(expected);
    }
  });

  test('ends a POST as unknown, whatever its reason looks like', async () => {
    const refused = networkError('ECONNREFUSED', 'connect').fails.cause;
    const controller = new AbortController();
    const call = failure(scripted(['silence']).charge({ signal: controller.signal }));
    const lostDatabase = new Error('The database is away.', { cause: refused });
    controller.abort(lostDatabase);
    expect(await call).toMatchObject({ name: 'OutcomeUnknownError', cause: lostDatabase });
  });

  test('ends the wait for a retry, and nothing more is sent', async () => {
    const controller = new AbortController();
    const sleep = async () => controller.abort(reason);
    const lost = scripted([networkError('ECONNRESET')], { sleep });
    expect(await failure(lost.charge({ signal: controller.signal }))).toMatchObject({ name: 'OutcomeUnknownError' });
    expect(lost.sent).toHaveLength(1);
  });
});

describe('what is sent', () => {
  test('is JSON with the amount as it was given', async () => {
    const { request, sent } = scripted([CREATED]);
    await request(CHARGE, { body: { amount: 131072.01 } });
    const [first] = sent;
    expect(first).toMatchObject({ url: 'https://pay.example.com/payments/transactions', body: '{"amount":131072.01}' });
    expect(Object.fromEntries(first?.headers ?? [])).toMatchObject({
      'x-api-key': 'tr_test_secret',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^trilho-node\/\d/),
    });
  });

  test('asks fetch to follow no redirect, which would carry the key elsewhere', async () => {
    const { balance, sent } = scripted([CREATED]);
    await balance();
    expect(sent[0]?.redirect).toBe('manual');
  });

  test('has lists separated by commas, and nothing for what is not given', async () => {
    const { request, sent } = scripted([CREATED]);
    const query = { type: ['pix_in' as const, 'pix_out' as const], limit: 5, text: 'João & Cia' };
    await request('GET /payments/transactions', { query });
    expect(sent[0]?.url.split('?')[1]).toBe('type=pix_in%2Cpix_out&limit=5&text=Jo%C3%A3o+%26+Cia');
  });

  test.each(['', '..', 'a/b', 'a?b', ' x'])('has no invalid id in its address: %j', async (id) => {
    const { request, sent } = scripted([CREATED]);
    await expect(request('GET /events/{eventId}', { ids: [id] })).rejects.toThrow('eventId is not an id');
    expect(sent).toEqual([]);
  });

  test.each(['', 'com espaço', 'ação', 'x'.repeat(256), 'a\nb'])(
    'has no idempotency key but 1 to 255 visible ASCII characters: %j',
    async (key) => {
      const { charge, sent } = scripted([CREATED]);
      await expect(charge({ idempotencyKey: key })).rejects.toThrow('visible ASCII');
      expect(sent).toEqual([]);
    },
  );

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('has no %d, which JSON would turn into null', async (amount) => {
    const { request, sent } = scripted([CREATED]);
    await expect(request(CHARGE, { body: { amount: 10, splitAmount: amount } })).rejects.toThrow('splitAmount');
    expect(sent).toEqual([]);
  });
});

test('onAnswer gets the metadata of an answer, and an error that it throws is ignored', async () => {
  const infos: unknown[] = [];
  const warnings = [{ field: 'callbackURL', message: '…', code: 'unknown_field' }];
  const answer = { ...CREATED, body: { ...CREATED.body, warnings }, headers: { 'idempotent-replayed': 'true' } };
  const { charge } = scripted([networkError('ECONNRESET'), answer], {
    onAnswer: (info) => {
      infos.push(info);
      throw new Error('The log is full.');
    },
  });
  expect(await charge({ idempotencyKey: 'k' })).toEqual(answer.body);
  const beside = { requestId: 'req-2', idempotencyKey: 'k', isReplayed: true, warnings, attempts: 2 };
  expect(infos).toEqual([{ operation: CHARGE, status: 200, ...beside }]);
});

test('an error of an asynchronous onAnswer is ignored too', async () => {
  const ended = vi.fn();
  const onAnswer = async () => {
    setImmediate(ended);
    throw new Error('The log is full.');
  };
  await scripted([CREATED], { onAnswer }).charge();
  // A rejection that nobody handles fails the run, and ends a program.
  await vi.waitFor(() => expect(ended).toHaveBeenCalled());
});

test('the API key is in no error', async () => {
  const steps: Step[] = [errorStep(401, 'api_key_invalid'), networkError('ECONNRESET'), errorStep(500, 'internal')];
  for (const step of steps) {
    const error = await failure(scripted([step]).charge({ maxRetries: 0 }));
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('tr_test_secret');
  }
});
