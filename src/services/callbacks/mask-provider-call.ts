import { conceal } from '#domain/encryption/conceal.ts';
import {
  cutMasked,
  HIDDEN,
  MASKED_BODY_LENGTH_MAX,
  MASKED_DEPTH_MAX,
  MASKED_TEXT_LENGTH_MAX,
  readMaskedBody,
} from '#domain/encryption/masked-body.ts';
import { scrub } from '#domain/encryption/scrub.ts';

const ITEMS_MAX = 20;
/** Shorter texts are too common to identify a person. */
const HIDDEN_LENGTH_MIN = 4;

/**
 * Members whose values say what happened with the money and nothing of people: our ids, the
 * provider's and the payment's, states, amounts, times, names of fields. What is not named here is
 * hidden, so that a provider's new field shows nothing.
 */
const SHOWN = new Set(
  (
    'txid status criacao expiracao revisao id tipoCob original valor horario solicitacao liquidacao endToEndId e2eId idEnvio rtrId ' +
    'natureza type propriedade codigo code txn_id amount currency psys_cid order_number expire_min return_existing allowed_psys_cids ' +
    'invoice_total_sum invoice_sum invoice_commission pending_amount received_amount remaining_amount pending_sum sum actual_sum ' +
    'confirmations expected_confirmations expire_utc expire_at_utc created_at_utc finished_at_utc tx_id fee feePlan page limit search ' +
    'pageCount totalCount currentPage perPage'
  ).split(' '),
);
/** Members in which a provider uses its own words, which may quote what it was sent. */
const WORDS = new Set(['title', 'detail', 'razao', 'motivo', 'message', 'mensagem', 'erro_descricao']);

/**
 * The request and response bodies of a call to a provider, as they may be kept and shown: JSON,
 * with tokens, keys, documents, e-mails, PIX keys and names hidden; null for a body that is absent.
 * `secrets`: further texts to hide where the provider's words quote them.
 */
export function maskProviderCall(exchange: {
  request: string | Record<string, string> | null;
  response: unknown;
  secrets: readonly string[];
}): { requestBody: string | null; responseBody: string | null } {
  const request = typeof exchange.request === 'string' ? readMaskedBody(exchange.request) : exchange.request;
  const quoted = new Set(exchange.secrets);
  collectHidden(request, quoted);
  collectHidden(exchange.response, quoted);
  const hidden = [...quoted];
  const masked = (body: unknown) => (isNothing(body) ? null : toText(mask(body, null, hidden, 0)));
  return { requestBody: masked(request), responseBody: masked(exchange.response) };
}

/** A query without members counts as none. */
const isNothing = (body: unknown) =>
  body === null || body === undefined || (typeof body === 'object' && Object.keys(body).length === 0);

const toText = (value: unknown): string => cutMasked(JSON.stringify(value), MASKED_BODY_LENGTH_MAX);

/** `key`: the member whose value this is; for an array's items, the array's member. */
function mask(value: unknown, key: string | null, hidden: readonly string[], depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'object') {
    if (depth >= MASKED_DEPTH_MAX) return HIDDEN;
    if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => mask(item, key, hidden, depth + 1));
    const members = Object.entries(value).map(([name, member]) => [
      MEMBER_NAME.test(name) ? name : HIDDEN,
      mask(member, name, hidden, depth + 1),
    ]);
    return Object.fromEntries(members);
  }
  if (key !== null && SHOWN.has(key)) return isHarmless(String(value)) ? value : HIDDEN;
  return key !== null && WORDS.has(key) && typeof value === 'string'
    ? concealed(cutMasked(value, MASKED_TEXT_LENGTH_MAX), hidden)
    : HIDDEN;
}

/**
 * Whether a shown value may stay: ids are hex digits, some of which would pass for a document, so
 * their forms are allowed; all else must pass the log's scrubbing.
 */
const isHarmless = (text: string) =>
  text.length <= MASKED_TEXT_LENGTH_MAX && (PLAINLY_HARMLESS.test(text) || scrub(text) === text);
/**
 * Texts shorter than any document or phone number; instants; Plisio's ids, ours as a txid,
 * end-to-end ids. They are nearly all values, so that few are examined further.
 */
const PLAINLY_HARMLESS =
  /^(?:[\w.:-]{0,9}|\d{4}-\d\d-\d\dT[\d:.]{8,15}Z|[0-9a-f]{24}|[0-9a-f]{32}|[DE]\d{20}[0-9A-Za-z]{11})$/;
const MEMBER_NAME = /^\w{1,40}$/;

/** Collects every text of a body that is hidden, because WORDS may quote it. */
function collectHidden(value: unknown, into: Set<string>, key: string | null = null, depth = 0): void {
  if (value === null || depth > MASKED_DEPTH_MAX) return;
  if (typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      collectHidden(member, into, Array.isArray(value) ? key : name, depth + 1);
    }
  } else if ((typeof value === 'string' || typeof value === 'number') && !(key && (SHOWN.has(key) || WORDS.has(key)))) {
    into.add(String(value));
  }
}

/**
 * Removes from a text what is hidden, in any case and with any punctuation between its characters,
 * and what looks like people's data.
 */
function concealed(text: string, hidden: readonly string[]): string {
  const line = conceal(text, hidden, HIDDEN_LENGTH_MIN);
  // The same mark for everything that is hidden, by either rule.
  return scrub(line).replace(/\[(?:redacted|e-mail|number|pem|master key)\]/g, HIDDEN);
}
