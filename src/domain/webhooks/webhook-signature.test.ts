import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { generateWebhookSecret, signWebhook, signWebhookWithEach, verifyWebhook } from './webhook-signature.ts';

const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const timestampSeconds = 1614265330;
const body = '{"test": 2432232314}';
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test("the signature of the standard's vector is the standard's, with the secret's prefix and without", () => {
  expect(signWebhook(secret, id, timestampSeconds, body)).toBe(signature);
  expect(signWebhook(`whsec_${secret}`, id, timestampSeconds, body)).toBe(signature);
});

// ASVS 11.4.1
test("the signature of any body is that of the standard's own library", () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 4_102_444_800 }), (text, seconds) => {
      const ours = generateWebhookSecret();
      const theirs = new Webhook(ours).sign('msg_1', new Date(seconds * 1_000), text);
      expect(signWebhook(ours, 'msg_1', seconds, text)).toBe(theirs);
    }),
  );
});

test('what a merchant receives passes its library, and a changed body does not', () => {
  const ours = generateWebhookSecret();
  const now = Math.floor(Date.now() / 1_000);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': signWebhook(ours, id, now, body),
  };
  expect(new Webhook(ours).verify(body, headers)).toEqual({ test: 2432232314 });
  expect(() => new Webhook(ours).verify(body.replace('2', '3'), headers)).toThrow();
});

test('the secret, the id, the timestamp and the body each change the signature', () => {
  const others = [
    signWebhook(generateWebhookSecret(), id, timestampSeconds, body),
    signWebhook(secret, `${id}x`, timestampSeconds, body),
    signWebhook(secret, id, timestampSeconds + 1, body),
    signWebhook(secret, id, timestampSeconds, `${body} `),
  ];
  expect(new Set([signature, ...others]).size).toBe(5);
});

test('a generated secret is whsec_ and 32 bytes, and never the same', () => {
  const secrets = Array.from({ length: 100 }, generateWebhookSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const text of secrets) {
    expect(text).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(text.slice(6), 'base64')).toHaveLength(32);
  }
});

test.each([24, 64])('a secret of %d bytes is within the standard', (bytes) => {
  const given = Buffer.alloc(bytes, 7).toString('base64');
  expect(() => signWebhook(given, id, timestampSeconds, body)).not.toThrow();
});

describe('nothing is signed', () => {
  test.each([
    '',
    'whsec_',
    'whsec_dGVzdA==',
    'not base64 at all, and yet long enough for a key of 24 bytes',
    Buffer.alloc(23, 7).toString('base64'),
    Buffer.alloc(65, 7).toString('base64'),
  ])('with the bad secret %j, and the error does not repeat it', (bad) => {
    expect(() => signWebhook(bad, id, timestampSeconds, body)).toThrow(
      new RangeError('A webhook secret is the base64 of 24 to 64 bytes.'),
    );
  });

  test.each(['', 'msg.1'])('under the ambiguous id %j', (bad) => {
    expect(() => signWebhook(secret, bad, timestampSeconds, body)).toThrow(RangeError);
  });

  test.each([1.5, Number.NaN, 1e21])('at the timestamp %d', (bad) => {
    expect(() => signWebhook(secret, id, bad, body)).toThrow(RangeError);
  });
});

describe('a receiver’s check', () => {
  const secrets = [generateWebhookSecret(), generateWebhookSecret()];
  const now = new Date(timestampSeconds * 1_000);
  const headers = (signature: string, at = timestampSeconds, of = id) => ({
    'webhook-id': of,
    'webhook-timestamp': String(at),
    'webhook-signature': signature,
  });

  test('accepts what the standard’s library signed, with any of its secrets and beside other signatures', () => {
    for (const one of secrets) {
      const theirs = new Webhook(one).sign(id, now, body);
      expect(verifyWebhook(secrets, headers(theirs), body, now)).toBe(true);
      expect(verifyWebhook(secrets, headers(`v1a,other ${theirs}`), body, now)).toBe(true);
    }
    const both = signWebhookWithEach(secrets, id, timestampSeconds, body);
    for (const one of secrets) expect(verifyWebhook([one], headers(both), body, now)).toBe(true);
  });

  test('rejects another body, id, time, secret, and what is older or newer than five minutes', () => {
    const right = signWebhook(secrets[0] as string, id, timestampSeconds, body);
    const late = (seconds: number) => new Date((timestampSeconds + seconds) * 1_000);
    expect(verifyWebhook(secrets, headers(right), `${body} `, now)).toBe(false);
    expect(verifyWebhook(secrets, headers(right, timestampSeconds, 'msg_2'), body, now)).toBe(false);
    expect(verifyWebhook(secrets, headers(right, timestampSeconds + 1), body, now)).toBe(false);
    expect(verifyWebhook([secrets[1] as string], headers(right), body, now)).toBe(false);
    expect(verifyWebhook(secrets, headers(right), body, late(300))).toBe(true);
    expect(verifyWebhook(secrets, headers(right), body, late(301))).toBe(false);
    expect(verifyWebhook(secrets, headers(right), body, late(-301))).toBe(false);
    for (const wrong of [{}, headers(''), headers('v1,'), { ...headers(right), 'webhook-timestamp': 'x' }]) {
      expect(verifyWebhook(secrets, wrong, body, now)).toBe(false);
    }
  });

  test.each(['', 'msg.1'])('rejects a message under the id %j, which nobody can sign', (of) => {
    const right = signWebhook(secrets[0] as string, id, timestampSeconds, body);
    expect(verifyWebhook(secrets, headers(right, timestampSeconds, of), body, now)).toBe(false);
  });
});
