import type { CryptoOperation, CryptoOperationsPage } from '../ports.ts';
import { isComplete, isReplaced, partsOfOperation, toInvoice } from './plisio-invoice.ts';
import { PAYOUT_STATUSES } from './plisio-payout.ts';
import { isPlisioId, type PlisioEntries, type PlisioRecord, readRecord } from './plisio-wire.ts';

/** Two clocks that are set by NTP differ by less. */
const CLOCK_DIFFERENCE_MS = 60_000;
/** Pages of 50 operations each; of a shop that has more in a week only the newest are read. */
const MAX_PAGES = 200;
/** Without times in the list (no white-label) nothing else ends the reading. */
const MAX_PAGES_WITHOUT_TIMES = 20;

/**
 * Reads a page of `/operations`, which has no periods: returns what was made since `from`, and
 * whether an older page may have more of it. The order of the list is not documented (plisio.net
 * /documentation/endpoints/transactions), so the reading relies on it only as far as it was
 * observed.
 */
export function toOperationsPage(
  { operations: entries, _meta: meta }: PlisioEntries,
  { from, page, currency }: { from: Date; page: number; currency?: string },
): CryptoOperationsPage {
  const since = from.getTime() - CLOCK_DIFFERENCE_MS;
  const operations: CryptoOperation[] = [];
  let unreadable = 0;
  let hasTimes = true;
  let newestFirst = true;
  let last = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const record = readRecord(entry);
    const operation = record.outcome === 'done' ? toOperation(record.value) : undefined;
    if (operation === undefined) unreadable++;
    if (!operation) continue;
    const isWanted = currency === undefined || operation.currency === null || operation.currency === currency;
    const createdAt = operation.createdAt?.getTime();
    hasTimes &&= createdAt !== undefined;
    newestFirst &&= createdAt !== undefined && createdAt <= last;
    last = createdAt ?? last;
    if (isWanted && (createdAt === undefined || createdAt >= since)) operations.push(operation);
  }
  const pages = meta?.pageCount ?? Number.POSITIVE_INFINITY;
  const isEnd = entries.length === 0 || page + 1 >= pages || (newestFirst && last < since);
  const isCut = !isEnd && page + 1 >= (hasTimes ? MAX_PAGES : MAX_PAGES_WITHOUT_TIMES);
  return { operations, unreadable: unreadable + (isCut ? 1 : 0), hasMore: !isEnd && !isCut };
}

/**
 * `null`: a `cash_in`, by which the money of an invoice moves into the shop's balance, so that it
 * would count twice. `undefined`: it can't be read.
 */
function toOperation(record: PlisioRecord): CryptoOperation | null | undefined {
  const { type, status = '', psys_cid: currency = null, created_at_utc: createdAt = null } = record;
  const providerId = record.id ?? record.txn_id;
  if (type === 'cash_in') return null;
  if (providerId === undefined || !isPlisioId(providerId)) return undefined;
  if (type === 'cash_out' || type === 'mass_cash_out') {
    const outcome = PAYOUT_STATUSES[status];
    if (outcome === undefined) return undefined;
    const ends = { processing: 'open', completed: 'done', failed: 'nothing' } as const;
    const units = record.amount ?? null;
    const common = { providerId, kind: 'payout', orderNumber: null, currency, createdAt } as const;
    return { ...common, status: ends[outcome], units, feeUnits: record.fee ?? 0n };
  }
  if (type !== 'invoice') return undefined;
  const received = receivedBy(record);
  const orderNumber = record.params?.order_number ?? null;
  const feeUnits = record.commission ?? 0n;
  return received && { providerId, kind: 'invoice', orderNumber, ...received, feeUnits, currency, createdAt };
}

/**
 * Returns what an invoice has received, as findInvoice does; without white-label only its status.
 */
function receivedBy(record: PlisioRecord): Pick<CryptoOperation, 'status' | 'units'> | undefined {
  const parts = partsOfOperation(record);
  if (isComplete(parts)) {
    const invoice = toInvoice(parts);
    if (invoice.outcome !== 'done') return undefined;
    const { status, receivedUnits: units } = invoice.value;
    if (status === 'open') return { status, units };
    return { status: units > 0n ? 'done' : 'nothing', units };
  }
  const status = isReplaced(record.status) ? 'nothing' : BARE_STATUSES[record.status ?? ''];
  return status && { status, units: null };
}

const BARE_STATUSES: Record<string, CryptoOperation['status']> = {
  new: 'open',
  pending: 'open',
  'pending internal': 'open',
  completed: 'done',
  mismatch: 'done',
  // A part may have arrived all the same; our own invoices are queried by their ids.
  expired: 'nothing',
  cancelled: 'nothing',
  error: 'nothing',
};
