import { createHmac, randomBytes } from 'node:crypto';
import { isEqualBytes } from '../encryption/is-equal-bytes.ts';

/**
 * Signs deliveries by Standard Webhooks (standardwebhooks.com), so that merchants verify them with
 * its ready libraries.
 */

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * The bounds of the standard; a key outside of them is a mistake (an empty one would not protect
 * anything).
 */
const SECRET_BYTES_MIN = 24;
const SECRET_BYTES_MAX = 64;

/**
 * How far a timestamp may be from now, as the standard's libraries have it: an older message may be
 * a replay.
 */
const TOLERANCE_SECONDS = 5 * 60;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A new endpoint secret: `whsec_` and the base64 of 32 random bytes. */
export function generateWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * Returns the value of `webhook-signature`: `v1,` and the base64 of HMAC-SHA256 over
 * `id.timestamp.body`. The secret may come with or without its prefix; the body must be the very
 * text that is sent.
 * @throws RangeError for a secret, id or timestamp outside the standard. The message never holds
 *   the secret.
 */
export function signWebhook(secret: string, id: string, timestampSeconds: number, body: string): string {
  // A dot in the id would make one signature valid for two messages.
  if (id === '' || id.includes('.')) throw new RangeError('A webhook id holds no point and is not empty.');
  if (!Number.isSafeInteger(timestampSeconds)) throw new RangeError('A webhook timestamp is in whole seconds.');
  const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestampSeconds}.${body}`, 'utf8');
  return `v1,${mac.digest('base64')}`;
}

/**
 * Returns the value of `webhook-signature` while a secret is being replaced: one signature by each,
 * separated by spaces, so that a receiver accepts the message with either secret. Throws as
 * signWebhook does.
 */
export const signWebhookWithEach = (
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  body: string,
): string => secrets.map((secret) => signWebhook(secret, id, timestampSeconds, body)).join(' ');

/**
 * Returns whether a message was signed with one of the secrets and sent within five minutes of
 * `now`, by the headers that came with it (lower case). It is a receiver's check, for our own
 * built-in one.
 * @throws RangeError for a secret outside the standard.
 */
export function verifyWebhook(
  secrets: readonly string[],
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  now: Date,
): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': sentAt = '', 'webhook-signature': signatures = '' } = headers;
  if (id === '' || id.includes('.') || !/^\d{1,12}$/.test(sentAt)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(sentAt)) > TOLERANCE_SECONDS) return false;
  const right = secrets.map((secret) => Buffer.from(signWebhook(secret, id, Number(sentAt), body)));
  const given = signatures.split(' ').map((signature) => Buffer.from(signature));
  return given.some((one) => right.some((other) => isEqualBytes(one, other)));
}

function keyOf(secret: string): Buffer {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const key = Buffer.from(text, 'base64');
  if (!BASE64.test(text) || key.length < SECRET_BYTES_MIN || key.length > SECRET_BYTES_MAX) {
    throw new RangeError('A webhook secret is the base64 of 24 to 64 bytes.');
  }
  return key;
}
