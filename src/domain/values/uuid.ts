// Without Node's own modules, because pages read ids too: a browser's replacement for `node:crypto`
// is 138 kB of JavaScript (gzip).

/** The largest instant of a UUIDv7's 48 bits of milliseconds (the year 10889). */
const TIMESTAMP_MS_MAX = 2 ** 48 - 1;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TXID_OF_UUID = /^[0-9a-f]{32}$/i;

/**
 * Returns a UUID version 7 (RFC 9562 5.7) in lower case: 48 bits of `now` in milliseconds, 74
 * random bits. Ids of later instants sort later, which keeps the index's insertions at its end; ids
 * of one millisecond have no order among them.
 * @throws RangeError for an instant before 1970 or an invalid date.
 */
export function uuidv7(now: Date): string {
  const ms = now.getTime();
  if (!(ms >= 0 && ms <= TIMESTAMP_MS_MAX)) throw new RangeError('A UUIDv7 holds an instant from 1970 on.');
  const time = ms.toString(16).padStart(12, '0');
  // What follows the version of a version 4: 12 random bits, the variant, 62 random bits, as here.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

/**
 * Returns the smallest UUIDv7 of an instant: no id that was made before it sorts after this one. An
 * instant outside 1970 to 10889 counts as the nearest end, because a filter may name any instant.
 */
export function firstUuidAt(instant: Date): string {
  const ms = Math.min(Math.max(instant.getTime(), 0), TIMESTAMP_MS_MAX);
  return hyphenate(`${ms.toString(16).padStart(12, '0')}${'0'.repeat(20)}`);
}

/** The instant that a UUIDv7 was made at, to the millisecond. */
export const instantOfUuid = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** Whether a text is a UUID as RFC 9562 4 writes it, of any version and case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Returns the 32 lower-case hex digits that the PSP gets as txid: API Pix allows
 * `[a-zA-Z0-9]{26,35}`, which excludes a UUID's hyphens.
 * @throws RangeError when the id is no UUID, because no other text could be read back from the
 *   txid.
 */
export function uuidToTxid(id: string): string {
  if (!isUuid(id)) throw new RangeError('A txid is made of a UUID.');
  return id.replaceAll('-', '').toLowerCase();
}

/**
 * Returns the id that a txid was made of, in lower case; `null` for a txid that is not 32 hex
 * digits, which is not one of ours.
 */
export function txidToUuid(txid: string): string | null {
  return TXID_OF_UUID.test(txid) ? hyphenate(txid.toLowerCase()) : null;
}

function hyphenate(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Sorts before every id: a list that ends with the newest begins here. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Sorts after every id: a list that ends with the oldest begins here. */
export const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
