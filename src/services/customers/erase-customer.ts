import { type ClockAhead, findTestClock } from '#db/accounts/test-clocks.ts';
import type { AuditEntry } from '#db/audit/audit.ts';
import { findNewestOf } from '#db/customers/customers.ts';
import {
  erasePayerOfDisputes,
  erasePersonalData,
  eraseRemovedPayees,
  eraseUnusedRows,
} from '#db/customers/erase-personal-data.ts';
import { countByLastYear, listPersonalRows, type PersonalRow, type PersonKey } from '#db/customers/personal-data.ts';
import { erasableFrom, isErasable } from '#domain/customers/retention.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ID_KEPT_MS } from '#domain/transactions/id-age.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { instantOfUuid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';
import { type EntryOf, findPersonKey, type Person } from './find-person-key.ts';
import { findUnusedRows } from './find-unused-rows.ts';
import { createPseudonyms } from './pseudonyms.ts';

/** Transactions that one commit erases: their rows are locked for some milliseconds. */
const ROWS_AT_ONCE = 500;
const DAY_MS = 24 * 60 * 60_000;

type EraseDeps = Pick<Deps, 'db' | 'secretBox' | 'clock'> & { settings: Pick<Deps['settings'], 'retentionYears'> };

/** How many transactions of a customer may be erased now, and how many from a later day on. */
export type ErasurePlan = {
  erasable: number;
  /** By day, the nearest first. */
  retained: { from: string; count: number }[];
};

/** Counts what of a customer may be erased now and later. Errors: customer_not_found. */
export async function planErasure(deps: EraseDeps, accountId: string, customerId: string): Promise<ErasurePlan> {
  return planOf(deps, await findPersonKey(deps, accountId, customerId));
}

async function planOf({ db, clock, settings }: EraseDeps, key: PersonKey): Promise<ErasurePlan> {
  const now = clock();
  const years = await countByLastYear(db.pool, key, now);
  const counted = years.map(({ lastYear, count }) => ({
    from: erasableFrom(lastYear, settings.retentionYears),
    count,
  }));
  return {
    erasable: counted.filter(({ from }) => isErasable(from, now)).reduce((sum, { count }) => sum + count, 0),
    retained: counted.flatMap(({ from, count }) => (from === null || isErasable(from, now) ? [] : [{ from, count }])),
  };
}

export type Erased = ErasurePlan & {
  erased: number;
  /** The id of a transaction that names the customer from now on; null when none is left. */
  customerId: string | null;
};

/**
 * Erases what says who a customer is, in each transaction of theirs whose retention has ended or
 * that never moved money; the ledger, the amounts and the ids stay as they are. What is erased is
 * noted in the same commit, some hundred transactions at a time. A second call changes nothing.
 * `reason` is stored in the audit. Errors: customer_not_found, customer_retained (nothing may be
 * erased; the param `from` says from which day on something may).
 */
export async function eraseCustomer(
  deps: EraseDeps,
  accountId: string,
  { customerId, reason, entryOf }: { customerId: string; reason: string; entryOf: EntryOf },
): Promise<Erased> {
  const key = await findPersonKey(deps, accountId, customerId);
  const noted = (what: string) => (count: number) =>
    entryOf('customer.erased', { subject: customerId, [what]: count, reason });
  const aheadMs = (await findTestClock(deps.db.pool, accountId))?.aheadMs ?? 0;
  let erased = 0;
  for (let before: string | null = null; ; ) {
    const page: PersonalRow[] = await listPersonalRows(deps.db.pool, key, {
      ...{ before, limit: ROWS_AT_ONCE, now: deps.clock() },
    });
    if (page.length === 0) break;
    erased += await erasePage(deps, { accountId, aheadMs }, page, noted('transactions'));
    before = page.at(-1)?.id ?? null;
  }
  const lastYear = Number(dateInSaoPaulo(deps.clock()).slice(0, 4)) - 1 - deps.settings.retentionYears;
  const others =
    (await eraseRemovedPayees(deps.db.pool, accountId, key.pixKeyIndexes, noted('address_book_entries'))) +
    (await erasePayerOfDisputes(deps.db.pool, { ...key, lastYear }, noted('disputes'))) +
    (await eraseRowsOf(deps, key, noted('batch_rows')));
  const plan = await planOf(deps, key);
  const [first] = plan.retained;
  if (erased + others === 0 && first) throw new DomainError('customer_retained', { params: { from: first.from } });
  return { ...plan, erased, customerId: await findNewestOf(deps.db.pool, accountId, key.documentIndexes) };
}

/** Erases the rows of batches from which no withdrawal was made, nor will be; returns how many. */
async function eraseRowsOf(deps: EraseDeps, person: Person, audit: (count: number) => AuditEntry): Promise<number> {
  const by = { pseudonyms: createPseudonyms(deps, person.accountId), audit };
  let erased = 0;
  for (const { batchId, rows } of await findUnusedRows(deps, person)) {
    const over = rows.filter(({ isOver }) => isOver);
    if (over.length > 0) erased += await eraseUnusedRows(deps.db.pool, { batchId, rows: over }, by);
  }
  return erased;
}

/** Erases what may be erased of these; returns how many. */
async function erasePage(
  deps: EraseDeps,
  { accountId, aheadMs }: ClockAhead,
  page: readonly PersonalRow[],
  audit: (count: number) => AuditEntry,
): Promise<number> {
  const now = deps.clock();
  const mayErase = ({ lastYear }: PersonalRow) => isErasable(erasableFrom(lastYear, deps.settings.retentionYears), now);
  const ids = page.filter(mayErase).map(({ id }) => id);
  const [newest, oldest] = [ids[0], ids.at(-1)];
  if (newest === undefined || oldest === undefined) return 0;
  const expiryOf = (id: string, byMs: number) => new Date(instantOfUuid(id).getTime() + ID_KEPT_MS + byMs);
  // An id is of its account's time, and what is kept expires by the service's own.
  const answersExpire = { from: expiryOf(oldest, -DAY_MS - aheadMs), to: expiryOf(newest, DAY_MS) };
  const erased = await erasePersonalData(
    deps.db.pool,
    { accountId, ids, now, answersExpire },
    { mayErase, pseudonyms: createPseudonyms(deps, accountId), audit },
  );
  return erased.length;
}
