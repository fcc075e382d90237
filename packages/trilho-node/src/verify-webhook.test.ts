import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';

/** The vector of the standard's own libraries. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const SENT_AT = 1_614_265_330;
const now = new Date(SENT_AT * 1_000);

const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'pix_in.paid',
  livemode: false,
  data: { amount: 131072.01, description: 'São José' },
});
const headersOf = (body = BODY, secret = SECRET) => ({
  'webhook-id': ID,
  'webhook-timestamp': String(SENT_AT),
  'webhook-signature': new Webhook(secret).sign(ID, now, body),
});
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

test('the signature of the standard’s vector is accepted: only its body is rejected, which is no event', async () => {
  const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  const headers = { 'webhook-id': ID, 'webhook-timestamp': String(SENT_AT), 'webhook-signature': signature };
  await expect(verifyWebhook('{"test": 2432232314}', headers, SECRET, { now })).rejects.toThrow('no event');
  await expect(verifyWebhook('{"test": 2432232315}', headers, SECRET, { now })).rejects.toThrow('No signature');
});

describe('a webhook', () => {
  test('that the standard’s library signed gives its event, from text and from bytes', async () => {
    const event = await verifyWebhook(BODY, headersOf(), SECRET, { now });
    expect(event).toEqual(JSON.parse(BODY));
    // The type narrows the fields.
    if (event.type === 'pix_in.paid') expect(event.data.amount).toBe(131072.01);
    expect(await verifyWebhook(new TextEncoder().encode(BODY), headersOf(), SECRET, { now })).toEqual(event);
  });

  test('is read from any form of headers', async () => {
    const lower = headersOf();
    const upper = Object.fromEntries(Object.entries(lower).map(([name, value]) => [name.toUpperCase(), [value]]));
    const framework = { get: (name: string) => new Headers(lower).get(name) };
    for (const headers of [new Headers(lower), framework, upper]) {
      expect(await verifyWebhook(BODY, headers, SECRET, { now })).toMatchObject({ id: 'evt_1' });
    }
  });

  test('is accepted by any of its signatures and any of the secrets, while one is being replaced', async () => {
    const both = {
      ...headersOf(),
      'webhook-signature': `v1,bm90 v2,x ${headersOf(BODY, OTHER_SECRET)['webhook-signature']} ${headersOf()['webhook-signature']}`,
    };
    expect(await verifyWebhook(BODY, both, SECRET, { now })).toMatchObject({ id: 'evt_1' });
    expect(await verifyWebhook(BODY, headersOf(), [OTHER_SECRET, SECRET], { now })).toMatchObject({ id: 'evt_1' });
  });

  test.each([
    ['another body', { body: BODY.replace('131072.01', '131072.02') }],
    ['another id', { headers: { 'webhook-id': 'msg_2' } }],
    ['another time', { headers: { 'webhook-timestamp': String(SENT_AT + 1) } }],
    ['another secret', { secret: OTHER_SECRET }],
    ['no signature', { headers: { 'webhook-signature': '' } }],
    [
      'a signature of another version',
      { headers: { 'webhook-signature': headersOf()['webhook-signature'].replace('v1', 'v2') } },
    ],
    ['a signature that is cut', { headers: { 'webhook-signature': headersOf()['webhook-signature'].slice(0, -8) } }],
    ['no id', { headers: { 'webhook-id': '' } }],
    ['no time', { headers: { 'webhook-timestamp': '' } }],
    ['an invalid time', { headers: { 'webhook-timestamp': '1e9' } }],
  ])(
    'with %s is rejected',
    async (_, { body = BODY, headers = {}, secret = SECRET }: { body?: string; headers?: object; secret?: string }) => {
      const call = verifyWebhook(body, { ...headersOf(), ...headers }, secret, { now });
      await expect(call).rejects.toThrow(WebhookVerificationError);
    },
  );

  test('is rejected when its id has a dot, which would let one signature fit two messages', async () => {
    const id = 'msg_1.2';
    const headers = { ...headersOf(), 'webhook-id': id, 'webhook-signature': new Webhook(SECRET).sign(id, now, BODY) };
    await expect(verifyWebhook(BODY, headers, SECRET, { now })).rejects.toThrow('webhook-id');
  });

  test('is rejected when it is older or newer than the tolerance', async () => {
    const at = (seconds: number, toleranceSeconds?: number) =>
      verifyWebhook(BODY, headersOf(), SECRET, {
        now: new Date(now.getTime() + seconds * 1_000),
        ...(toleranceSeconds !== undefined && { toleranceSeconds }),
      });
    for (const seconds of [300, -300]) await expect(at(seconds)).resolves.toBeDefined();
    for (const seconds of [301, -301]) await expect(at(seconds)).rejects.toThrow(WebhookVerificationError);
    await expect(at(301, 600)).resolves.toBeDefined();
    await expect(at(31, 30)).rejects.toThrow(WebhookVerificationError);
  });
});

test.each(['', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_não é base64', `whsec_${'A'.repeat(200)}`])(
  'an invalid secret (%j) throws RangeError without repeating it',
  async (secret) => {
    const error = await verifyWebhook(BODY, headersOf(), secret, { now }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RangeError);
    if (secret.length > 8) expect(String(error)).not.toContain(secret);
  },
);

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
  'a tolerance of %d throws RangeError',
  async (toleranceSeconds) => {
    await expect(verifyWebhook(BODY, headersOf(), SECRET, { now, toleranceSeconds })).rejects.toThrow(RangeError);
  },
);

test('an invalid time throws RangeError, because no age would exceed the tolerance', async () => {
  await expect(verifyWebhook(BODY, headersOf(), SECRET, { now: new Date(Number.NaN) })).rejects.toThrow(RangeError);
});

test.each([JSON.parse(BODY), undefined, null, new ArrayBuffer(2)])(
  'a body that is neither text nor bytes (%o) throws TypeError',
  async (body) => {
    await expect(verifyWebhook(body, headersOf(), SECRET, { now })).rejects.toThrow('exact text or bytes');
  },
);

test('a verification without a secret throws RangeError', async () => {
  await expect(verifyWebhook(BODY, headersOf(), [], { now })).rejects.toThrow(RangeError);
});
