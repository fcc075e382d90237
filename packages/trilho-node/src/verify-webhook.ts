import type { WebhookEvent } from './generated/api.ts';

/** The webhook is not the service's, was altered, or is too old: answer 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

/** As Node's `request.headers` has them, or as a Fetch API request has. */
export type WebhookHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /**
   * By how many seconds the time of sending may differ from now; 300 unless given. An older message
   * may be a replay.
   */
  toleranceSeconds?: number;
  /** The current time; the clock's unless given. */
  now?: Date;
};

const TOLERANCE_SECONDS = 5 * 60;
/**
 * At most this many signatures are checked. The service signs with two secrets at most, the second
 * one while one is being replaced.
 */
const SIGNATURES_MAX = 10;
/** The bounds of the standard for a secret. */
const SECRET_BYTES_MIN = 24;
const SECRET_BYTES_MAX = 64;

/**
 * Verifies a webhook by Standard Webhooks (standardwebhooks.com, "Verifying webhook authenticity")
 * and returns its event. `body` is the exact text or bytes of the request, before any parsing;
 * `secrets` are the account's `whsec_…`, several while one is being replaced. `type` distinguishes
 * events; types that are newer than this library come too, so let a `switch` have a default. Throws
 * WebhookVerificationError, RangeError for an invalid secret, tolerance or time, and TypeError for
 * a body that was parsed.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds <= 0) {
    throw new RangeError('toleranceSeconds is a number of seconds above zero.');
  }
  if (Number.isNaN(now.getTime())) throw new RangeError('now is an invalid Date.');
  if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
    throw new TypeError('body is the exact text or bytes of the request, as it came, and nothing parsed.');
  }
  const keys = await Promise.all([secrets].flat().map(importSecret));
  if (keys.length === 0) throw new RangeError('Without a secret no webhook can be verified.');

  const id = headerOf(headers, 'webhook-id');
  const sentAt = headerOf(headers, 'webhook-timestamp');
  // A dot in the id would make one signature valid for two messages.
  if (id === '' || id.includes('.'))
    throw new WebhookVerificationError('The header webhook-id is missing or has a dot in it.');
  if (!/^\d{1,12}$/.test(sentAt)) throw new WebhookVerificationError('The header webhook-timestamp is missing.');
  if (Math.abs(now.getTime() / 1_000 - Number(sentAt)) > toleranceSeconds) {
    throw new WebhookVerificationError('The webhook was sent too long ago, or this machine’s clock is wrong.');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joinBytes(new TextEncoder().encode(`${id}.${sentAt}.`), bytes);
  if (!(await isSigned(keys, headerOf(headers, 'webhook-signature'), signed))) {
    throw new WebhookVerificationError('No signature of the webhook is right.');
  }
  return parseEvent(bytes);
}

/**
 * Whether one of the signatures was made with one of the keys. WebCrypto compares in constant time.
 */
async function isSigned(keys: CryptoKey[], header: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  for (const text of header.split(' ').slice(0, SIGNATURES_MAX)) {
    const signature = text.startsWith('v1,') ? decodeBase64(text.slice('v1,'.length)) : null;
    if (signature === null) continue;
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

/** Throws RangeError, whose message never has the secret in it. */
async function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (bytes === null || bytes.length < SECRET_BYTES_MIN || bytes.length > SECRET_BYTES_MAX) {
    throw new RangeError('A webhook secret is whsec_ and the base64 of 24 to 64 bytes, as the panel shows it.');
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  // By its method, because a framework may have a class of its own.
  if (isFetchHeaders(headers)) return headers.get(name) ?? '';
  const [, value = ''] = Object.entries(headers).find(([other]) => other.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value.join(' ');
}

function isFetchHeaders(headers: WebhookHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function';
}

function parseEvent(bytes: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof event === 'object' && event !== null && 'type' in event) return event as WebhookEvent;
  } catch {
    // A signed body is always JSON; another one is rejected below like any other that is no event.
  }
  throw new WebhookVerificationError('The body of the webhook is no event.');
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
