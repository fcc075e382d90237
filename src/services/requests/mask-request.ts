import { maskDocument, maskPhone } from '#domain/encryption/masked.ts';
import {
  cutMasked,
  HIDDEN,
  MASKED_BODY_LENGTH_MAX,
  MASKED_DEPTH_MAX,
  MASKED_TEXT_LENGTH_MAX,
  readMaskedBody,
} from '#domain/encryption/masked-body.ts';
import { scrub } from '#domain/encryption/scrub.ts';
import { parsePhone } from '#domain/values/contact.ts';
import { RoundedNumber } from '#domain/values/parse-exact-json.ts';
import { toStorableText } from '#domain/values/storable-text.ts';

const NAME_LENGTH_MAX = 40;
/** The first items of a list show what the others look like. */
const ITEMS_MAX = 5;
const MEMBERS_MAX = 60;
/** A path with its query; ours have 120 at most. */
const PATH_LENGTH_MAX = 500;
/** The ends of a shorter text would be half of it. */
const ENDS_LENGTH_MIN = 20;

/**
 * Members of requests and responses, by name, whose values are about the money and not about
 * people. They are shown; private data is removed from their texts first, because a caller may
 * write anything anywhere. Members that are in no list here are hidden: `api_key`, `secret_key`,
 * `memo` (an exchange's customer number), and those that a later version may add.
 */
const SHOWN = new Set(
  (
    'success status sub_status type message error code details warnings suggestion field data id timestamp livemode event failure failure_code ' +
    'transaction_id external_id txid reference_code account_id refund_id splitReceiverUserId end_to_end_id return_id previous_status ' +
    'amount amount_brl amount_fees amount_total net_amount net_amount_brl gross net refunded refunded_amount received_amount credited_net_amount ' +
    'credited_fees review_amount crypto_amount refund_amount crypto_received splitAmount description currency asset network confirmations ' +
    'confirmations_needed tx_hashes price spread_percent side source is_default minimum_deposit mode topic percent fixed used ' +
    'available_balance pending_balance blocked_balance owed_balance created_at paid_at expires_at expiration_date finished_at quoted_at at ' +
    'day_ends_at starts_at ends_at next_cursor can_create_accounts kyc_status pixKeyType pix_key_type customerDocumentType documentType ' +
    'document_type pix_in pix_out crypto_in crypto_out pix_out_today pix_out_tonight crypto_out_today minimal_value_in_crypto ' +
    'maximal_value_in_crypto minimal_value_out_crypto maximal_value_out_crypto daily_limit_out_crypto minimal_value_in_pix ' +
    'maximal_value_in_pix minimal_value_out_pix maximal_value_out_pix daily_limit_out_pix night_limit_out_pix from to min_amount ' +
    'max_amount limit cursor gross fees split refunded net review_id reason expected_amount resolved_at resolution ' +
    'tool dispute_id dispute_state state held_amount returned_amount opened_at answer_by answered_at answer_sent_at closed_at ' +
    'endpoint_id event_types disabled_reason disabled_at failing_since last_delivered_at secret_overlap_until ' +
    'event_id attempt_count number started_at duration_ms status_code next_attempt_at sending since ' +
    'payee_id added_at usable_from paused_until scheduledFor scheduled_for every count until ifMissed ' +
    'reference referenceUnique expiresIn balance opening_balance closing_balance credits debits entry_count entry_number day balance_after fee by now ahead_seconds target stopped'
  ).split(' '),
);

/**
 * Members about people and where money goes: enough is shown to recognise whom a request was about,
 * not enough to use it.
 */
const MASKS: Record<string, (text: string) => string> = {
  customerName: maskName,
  customer_name: maskName,
  name: maskName,
  answered_by: maskName,
  added_by: maskName,
  // What a merchant calls a payee: mostly a person.
  label: maskName,
  customerEmail: maskEmail,
  splitReceiverEmail: maskEmail,
  email: maskEmail,
  customerDocument: maskDocument,
  document: maskDocument,
  customerPhone: maskAnyPhone,
  phone: maskAnyPhone,
  pixKey: maskKey,
  pix_key: maskKey,
  destination: maskKey,
  // It is public on the chain, but beside an amount and a time it reveals who was paid.
  wallet: maskEnds,
  wallet_hash: maskEnds,
  // Long, and of no use without its middle.
  qr_code: maskEnds,
  callbackUrl: maskUrl,
  callback_url: maskUrl,
  webhookUrl: maskUrl,
  invoice_url: maskUrl,
  payment_url: maskUrl,
  qr_code_svg_url: maskUrl,
  qr_code_png_url: maskUrl,
  url: maskUrl,
};

/**
 * Texts in formats of our own, which can't contain private data: identifiers, instants, lower-case
 * words, codes of currencies.
 */
const PLAIN =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|evt_[0-9a-f]{32}|\d{4}-\d\d-\d\dT[\d:.]{8,12}Z|[a-z_]{1,30}|[A-Z]{2,6}(?:_[A-Z0-9]{2,10})?)$/;

/**
 * Masks a body so that it may be stored and shown: JSON without secrets and people's data, of at
 * most MASKED_BODY_LENGTH_MAX characters (a longer one is cut and ends in `…`). `body` is a value
 * or its JSON text. Null: there is no body.
 */
export function maskBody(body: unknown): string | null {
  const value = typeof body === 'string' ? readMaskedBody(body) : body;
  if (value === undefined || value === null) return null;
  return cutMasked(JSON.stringify(mask(value, null, 0)), MASKED_BODY_LENGTH_MAX);
}

/**
 * Masks the path and query of a request: what its sender put into them besides ids is hidden.
 * `template`: the operation's path, like /payments/transactions/{transactionId}. A path of no
 * operation keeps its words, because they show the sender's mistake.
 */
export function maskPath(request: { path: string; query: string; template: string }): string {
  const names = request.template.startsWith('/') ? request.template.split('/') : null;
  const path = request.path
    .split('/')
    .map((part, index) => (names ? maskParameter(part, names[index]) : maskUnknown(part)))
    .join('/');
  if (request.query === '') return cutMasked(path, PATH_LENGTH_MAX);
  const query = [...new URLSearchParams(request.query)]
    .slice(0, MEMBERS_MAX)
    .map(([name, value]) => `${maskMember(name)}=${SHOWN.has(name) ? showText(value) : HIDDEN}`);
  return cutMasked(`${path}?${query.join('&')}`, PATH_LENGTH_MAX);
}

const maskParameter = (part: string, name: string | undefined) =>
  name?.startsWith('{') && !PLAIN.test(part) ? HIDDEN : part;

/**
 * Letters, with the number of a version after them: no document, telephone, key, wallet or e-mail.
 */
const WORD = /^[A-Za-z_-]+\d{0,2}$/;

const maskUnknown = (part: string) =>
  part === '' || PLAIN.test(part) || (WORD.test(part) && part.length <= NAME_LENGTH_MAX) ? part : HIDDEN;

/** `name`: the member that has this value; the items of an array have the name of the array. */
function mask(value: unknown, name: string | null, depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value;
  // What was sent instead of a number explains why it was rejected.
  if (value instanceof RoundedNumber) return mask(value.text, name, depth);
  if (typeof value === 'object') {
    if (depth >= MASKED_DEPTH_MAX) return HIDDEN;
    if (Array.isArray(value)) {
      const items = value.slice(0, ITEMS_MAX).map((item) => mask(item, name, depth + 1));
      return value.length > ITEMS_MAX ? [...items, `… +${value.length - ITEMS_MAX}`] : items;
    }
    const members: [string, unknown][] = [];
    for (const key in value) {
      if (members.length === MEMBERS_MAX) break;
      members.push([maskMember(key), mask((value as Record<string, unknown>)[key], key, depth + 1)]);
    }
    return Object.fromEntries(members);
  }
  if (name === null) return HIDDEN;
  if (SHOWN.has(name)) return typeof value === 'string' ? showText(value) : value;
  // Without `hasOwn`, `constructor` would be found on the prototype of MASKS.
  const masks = Object.hasOwn(MASKS, name) ? MASKS[name] : undefined;
  return masks ? masks(String(value)) : HIDDEN;
}

const showText = (text: string): string => (PLAIN.test(text) ? text : scrub(cutMasked(text, MASKED_TEXT_LENGTH_MAX)));

/**
 * The name of an unknown member is shown, because it shows the caller's mistake; unless it does not
 * look like a name.
 */
const maskMember = (name: string): string => {
  if (SHOWN.has(name) || Object.hasOwn(MASKS, name)) return name;
  return /^[A-Za-z_][\w-]*$/.test(name) && name.length <= NAME_LENGTH_MAX ? scrub(name) : HIDDEN;
};

/** `Maria da Silva` is `M***`. */
function maskName(text: string): string {
  const [first = ''] = text.trim();
  return /\p{L}/u.test(first) ? `${first}${HIDDEN}` : HIDDEN;
}

/** `maria@example.com` is `m***@example.com`. */
function maskEmail(text: string): string {
  const [, first, domain] =
    /^\s*([\w.+-])[^@]*@([\w-]+(?:\.[\w-]+)+)\s*$/.exec(text.slice(0, MASKED_TEXT_LENGTH_MAX)) ?? [];
  return first && domain ? `${first}${HIDDEN}@${domain}` : HIDDEN;
}

function maskAnyPhone(text: string): string {
  const phone = parsePhone(text);
  return phone === null ? HIDDEN : maskPhone(phone);
}

/** Masks a PIX key by its shape, because its type may be wrong or missing. */
function maskKey(text: string): string {
  const key = text.trim();
  if (key.includes('@')) return maskEmail(key);
  if (/^[0-9a-f]{8}-/i.test(key) || key.length >= ENDS_LENGTH_MIN) return maskEnds(key);
  if (key.startsWith('+')) return maskAnyPhone(key);
  return maskDocument(key);
}

/** The first six characters and the last four, where enough is left out between them. */
function maskEnds(text: string): string {
  return text.length >= ENDS_LENGTH_MIN ? toStorableText(`${text.slice(0, 6)}…${text.slice(-4)}`) : HIDDEN;
}

/** Origin and path are shown; people put tokens into what follows. */
function maskUrl(text: string): string {
  if (!URL.canParse(text)) return HIDDEN;
  const { origin, pathname, search } = new URL(text);
  if (origin === 'null') return HIDDEN;
  return cutMasked(scrub(`${origin}${pathname}`) + (search === '' ? '' : `?${HIDDEN}`), MASKED_TEXT_LENGTH_MAX);
}
