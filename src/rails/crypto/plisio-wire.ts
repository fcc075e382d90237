import { z } from 'zod';
import { parseUnits } from '#domain/quotes/crypto-units.ts';
import { isCurrencyCode } from '#domain/quotes/currencies.ts';
import { isStorableText } from '#domain/values/storable-text.ts';
import type { CryptoCurrencyInfo, Outcome } from '../ports.ts';

/**
 * Observed: 24 hex characters. At least one digit is required, so that no id is the name of a route
 * (`operations/withdraw`).
 */
const PLISIO_ID = /^(?=.*\d)[0-9A-Za-z_-]{1,64}$/;

/**
 * Instants are seconds, "may need to be divided by 1000" (csharp-sdk, OperationDto): as seconds,
 * this is the year 5138.
 */
const FIRST_MILLISECONDS = 1e11;

export const isPlisioId = (id: string): boolean => PLISIO_ID.test(id);

/** PHP writes null, an empty text or an empty list for an absent value. */
const absent = (value: unknown): unknown =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value;

/** The largest that a column for quantities holds: more coins than any network has. */
const UNITS_MAX = 2n ** 63n - 1n;
/** The largest that a column for counts holds. */
const COUNT_MAX = 2 ** 31 - 1;

/**
 * A quantity is a decimal text, sometimes a number. One that can't be read, or stored, makes the
 * answer unusable, because it must not count as absent.
 */
const units = z.preprocess(
  absent,
  z
    .union([z.string(), z.number()])
    .transform((value) => parseUnits(decimalText(value)))
    .pipe(z.bigint().max(UNITS_MAX))
    .optional(),
);

/** A quantity that is below zero where more was paid than asked. */
const signedUnits = z.preprocess(
  absent,
  z
    .union([z.string(), z.number()])
    .transform((value) => {
      const text = decimalText(value);
      const size = parseUnits(text.replace(/^-/, ''));
      return text.startsWith('-') && size !== null ? -size : size;
    })
    .pipe(z.bigint().min(-UNITS_MAX).max(UNITS_MAX))
    .optional(),
);

const decimalText = (value: string | number): string => (typeof value === 'number' ? decimalOf(value) : value);

/**
 * Returns the decimal that a JSON number was written as, which is the shortest text of its double.
 * One with more decimals than a coin has was calculated, and is taken without the error of that: a
 * double carries 15 significant digits. Cut off instead, either would be a unit less.
 */
function decimalOf(value: number): string {
  const written = plainText(value);
  return /\.\d{9}/.test(written) ? plainText(Number(value.toPrecision(15))) : written;
}

/** Below 10^-6 the text of a number has an exponent. */
const plainText = (value: number): string => (/e-/.test(`${value}`) ? value.toFixed(12) : `${value}`);

/**
 * A text that can't be stored is rejected: an address with one character replaced would be another
 * address.
 */
const stored = z.string().refine(isStorableText);
const text = z.preprocess(absent, z.union([stored, z.number()]).transform(String).optional());
const count = z.preprocess(absent, z.coerce.number().int().nonnegative().max(COUNT_MAX).optional()).catch(undefined);
const instant = z
  .preprocess(absent, z.coerce.number().positive().optional())
  .transform((value) =>
    value === undefined ? undefined : new Date(value >= FIRST_MILLISECONDS ? value : value * 1000),
  )
  .pipe(z.date().optional())
  .catch(undefined);
const texts = z
  .preprocess((value) => (typeof value === 'string' ? [value] : absent(value)), z.array(stored).default([]))
  .catch([]);

/**
 * One operation in `/operations`, `/invoices` and `/operations/withdraw`; without white-label most
 * of it is left out.
 */
const record = z.object({
  id: text,
  txn_id: text,
  type: text,
  status: text,
  psys_cid: text,
  params: z.preprocess(absent, z.object({ order_number: text, amount: units, psys_cid: text }).optional()),
  amount: units,
  actual_sum: units,
  pending_sum: units,
  sum: units,
  received_amount: units,
  pending_amount: signedUnits,
  remaining_amount: signedUnits,
  invoice_total_sum: units,
  // Figures beside the quantities: one that can't be read does not make the operation unusable.
  fee: units.catch(undefined),
  commission: units.catch(undefined),
  invoice_url: text,
  wallet_hash: text,
  wallet_memo: text,
  confirmations: count,
  expected_confirmations: count,
  created_at_utc: instant,
  expire_at_utc: instant,
  expire_utc: instant,
  tx_id: texts,
  tx_url: texts,
  tx: z
    .array(z.object({ txid: stored, confirmations: count }))
    .nullish()
    .catch([]),
});

export type PlisioRecord = z.infer<typeof record>;

const named = record.pick({ id: true, txn_id: true });

const page = z.object({
  operations: z.array(record),
  _meta: z.object({ pageCount: count }).nullish().catch(null),
});

export type PlisioPage = z.infer<typeof page>;

/**
 * A page whose operations are read one by one, so that one that can't be read does not affect the
 * others.
 */
const entries = page.extend({ operations: z.array(z.unknown()) });

export type PlisioEntries = z.infer<typeof entries>;

export const readRecord = (data: unknown): Outcome<PlisioRecord> => read(record, data);
/** Returns the id of an operation, also of one that can't be read otherwise; `null`: none. */
export function readOperationId(data: unknown): string | null {
  const { id, txn_id } = named.safeParse(data).data ?? {};
  const found = id ?? txn_id;
  return found !== undefined && isPlisioId(found) ? found : null;
}
export const readPage = (data: unknown): Outcome<PlisioPage> => read(page, data);
export const readEntries = (data: unknown): Outcome<PlisioEntries> => read(entries, data);
/** Reads the answer of `/invoices/{id}`. */
export function readInvoiceDetails(data: unknown): Outcome<PlisioRecord> {
  const details = read(z.object({ invoice: record }), data);
  return details.outcome === 'done' ? { outcome: 'done', value: details.value.invoice } : details;
}

/** Names the fields that are not as documented, never their values. */
function read<T>(schema: z.ZodType<T>, data: unknown): Outcome<T> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return { outcome: 'done', value: parsed.data };
  const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'the data');
  return unknown(`not a Plisio answer: ${[...new Set(fields)].slice(0, 5).join(', ')}`);
}

export const unknown = (reason: string): Outcome<never> => ({ outcome: 'unknown', reason });

/**
 * Returns the hashes on the network; where only links to block explorers came, what looks like a
 * hash in them.
 */
export function hashesOf({ tx_id, tx, tx_url }: PlisioRecord): string[] {
  const named = [...tx_id, ...(tx ?? []).map(({ txid }) => txid)].filter(Boolean);
  const linked = tx_url.flatMap((url) => /[0-9A-Za-z]{40,}/.exec(url) ?? []);
  return [...new Set(named.length > 0 ? named : linked)];
}

/** Reads the answer of `/balances/{cid}`: the balance in 10^-8 of a coin. */
export const readBalance = (data: unknown): Outcome<bigint> => {
  const found = read(z.object({ balance: units.pipe(z.bigint()) }), data);
  return found.outcome === 'done' ? { outcome: 'done', value: found.value.balance } : found;
};

const isOff = (value: unknown): boolean => value === 0 || value === false || value === '0' || value === 'false';
const currency = z.object({
  cid: z.string(),
  min_sum_in: units,
  hidden: z.unknown().optional(),
  maintenance: z.unknown().optional(),
});

/**
 * Reads the answer of `/currencies/{fiat}`. An entry that can't be read is left out, as if Plisio
 * did not have the currency.
 */
export function readCurrencies(data: unknown): Outcome<CryptoCurrencyInfo[]> {
  const entries = read(z.array(z.unknown()), data);
  if (entries.outcome !== 'done') return entries;
  const info = entries.value.flatMap((entry) => {
    const { success, data: found } = currency.safeParse(entry);
    if (!success || found.min_sum_in === undefined || !isCurrencyCode(found.cid)) return [];
    const active = isOff(found.hidden) && isOff(found.maintenance);
    return [{ code: found.cid, minimumUnits: found.min_sum_in, active }];
  });
  return { outcome: 'done', value: info };
}
