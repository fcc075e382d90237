import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseJson } from '#domain/values/parse-json.ts';
import { attempt } from '../attempt.ts';
import { isPlisioId } from './plisio-wire.ts';

/** Our order numbers are UUIDs, of 36 characters; a longer one is not ours. */
const ORDER_NUMBER_LENGTH_MAX = 255;

/**
 * Reads what Plisio posts to a callback URL with `json=true`, and checks its `verify_hash`:
 * HMAC-SHA1 with the API key over the JSON of the other fields. Plisio's own SDKs disagree on that
 * JSON: Node sorts the fields by name and makes every value a text, Python and the documentation
 * take them as they came. A hash that fits one of these forms is accepted. Returns `null` for
 * everything else; never throws.
 */
export function parsePlisioCallback(
  body: string,
  apiKey: string,
): { providerId: string; orderNumber: string | null } | null {
  const fields = parseObject(body);
  if (!fields || !hasOneHash(body)) return null;
  const { verify_hash: hash, txn_id: providerId, order_number: orderNumber } = fields;
  if (typeof hash !== 'string' || !/^[0-9a-f]{40}$/.test(hash)) return null;
  if (typeof providerId !== 'string' || !isPlisioId(providerId)) return null;
  // A value may be deeper than the stack, or an object that can't be made a text.
  if (!attempt(() => isSigned(fields, Buffer.from(hash, 'hex'), apiKey))) return null;
  const isOrder =
    typeof orderNumber === 'string' && orderNumber !== '' && orderNumber.length <= ORDER_NUMBER_LENGTH_MAX;
  return { providerId, orderNumber: isOrder ? orderNumber : null };
}

function isSigned(fields: Record<string, unknown>, hash: Buffer, apiKey: string): boolean {
  const received = Object.entries(fields).filter(([name]) => name !== 'verify_hash');
  const sorted = received.toSorted(([one], [other]) => (one < other ? -1 : 1));
  // All four are computed and compared whatever the first give, so that the duration reveals
  // nothing.
  const matches = [sorted, received]
    .flatMap((entries) => [entries.map(([name, value]) => [name, `${value}`] as const), entries])
    .map((entries) =>
      createHmac('sha1', apiKey)
        .update(JSON.stringify(Object.fromEntries(entries)))
        .digest(),
    )
    .filter((expected) => timingSafeEqual(expected, hash));
  return matches.length > 0;
}

/** JSON.parse keeps the last of two fields of one name. Only a forgery has two hashes. */
const hasOneHash = (body: string): boolean => body.match(/"verify_hash"\s*:/g)?.length === 1;

function parseObject(body: string): Record<string, unknown> | null {
  const json = parseJson(body);
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : null;
}
