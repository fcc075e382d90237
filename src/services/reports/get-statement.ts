import {
  DISORDER_MS,
  findFirstVersions,
  findStatementRange,
  listStatementRows,
  type StatementRange,
  type StatementRow,
} from '#db/reports/statement.ts';
import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { type EntryName, entryNameOf, type StatementBalance } from '#domain/reports/statement-entry.ts';
import { dayOf, periodInstants, type StatementDays } from '#domain/reports/statement-period.ts';
import { nextDayStart } from '#domain/values/business-day.ts';
import type { Deps } from '../deps.ts';
import { withDestination } from '../transactions/list-transactions.ts';

type StatementDeps = Pick<Deps, 'db' | 'secretBox'>;

/** The entries of a page that a person reads: a screenful and some scrolling. */
const STATEMENT_PAGE = 50;
/** The entries of one query for a file, which are one chunk of it. */
const CHUNK = 500;

export type StatementQuery = StatementDays & { balance: StatementBalance };

/**
 * `day`: the day that the entry counts on (see src/db/reports/statement.ts): that of `createdAt`,
 * except that an entry of the last minutes of a day may count on the next one.
 */
export type StatementEntry = Omit<StatementRow, 'kind' | 'creditsAvailable' | 'pixKey' | 'pixKeyType' | 'wallet'> & {
  name: EntryName;
  day: string;
  /** Where a withdrawal goes, as in the list of transactions. */
  destination: string | null;
};

export type StatementSummary = {
  openingCentavos: bigint;
  creditCentavos: bigint;
  /** Negative. */
  debitCentavos: bigint;
  closingCentavos: bigint;
  entries: number;
};

/**
 * A page of a statement, newest first. The summary comes with the first page only, and is of the
 * same moment as its entries.
 */
export type StatementPage = {
  summary: StatementSummary | null;
  entries: StatementEntry[];
  /** For the page after this one; null at the end. */
  nextCursor: bigint | null;
};

/**
 * Returns a page of an account's statement. `cursor`: the version of the last entry of the page
 * before; null: the first page. The caller has checked the days
 * (src/domain/reports/statement-period.ts).
 */
export async function getStatementPage(
  deps: StatementDeps,
  accountId: string,
  query: StatementQuery & { cursor: bigint | null },
  limit = STATEMENT_PAGE,
): Promise<StatementPage> {
  const { pool } = deps.db;
  const range = await openRange(deps, accountId, query);
  const { cursor } = query;
  const next = cursor !== null && cursor < range.next ? cursor : range.next;
  const { ledgerAccountId, first } = range;
  const rows = await listStatementRows(pool, { ledgerAccountId, first, next, order: 'newest first', limit });
  const last = rows.at(-1);
  return {
    summary: cursor === null ? summaryOf(range) : null,
    entries: await withDays(deps, accountId, query, rows),
    nextCursor: last && last.version > first ? last.version : null,
  };
}

/**
 * A whole statement for a file: what is known before its entries, and the entries, oldest first, as
 * they are read.
 */
export type StatementFile = {
  openingCentavos: bigint;
  closingCentavos: bigint;
  entries: number;
  /**
   * The entries in pieces. Each is read when the one before has been taken, so no more than one is
   * in memory.
   */
  chunks(): AsyncGenerator<StatementEntry[]>;
};

/**
 * Opens a statement for a file. Its entries are fixed at this moment: later ones are not in it. The
 * caller has checked the days.
 */
export async function openStatementFile(
  deps: StatementDeps,
  accountId: string,
  query: StatementQuery,
): Promise<StatementFile> {
  const range = await openRange(deps, accountId, query);
  return {
    openingCentavos: range.openingCentavos,
    closingCentavos: range.closingCentavos,
    entries: summaryOf(range).entries,
    chunks: () => readChunks(deps, query, range),
  };
}

const summaryOf = ({
  first,
  next,
  openingCentavos,
  creditCentavos,
  debitCentavos,
  closingCentavos,
}: StatementRange): StatementSummary => ({
  openingCentavos,
  creditCentavos,
  debitCentavos,
  closingCentavos,
  // Versions have no gaps.
  entries: Number(next - first),
});

async function* readChunks(
  deps: StatementDeps,
  query: StatementQuery,
  { ledgerAccountId, first, next }: StatementRange,
): AsyncGenerator<StatementEntry[]> {
  let day = query.from;
  for (let from = first; from < next; ) {
    const page = { ledgerAccountId, first: from, next, order: 'oldest first', limit: CHUNK } as const;
    const rows = await listStatementRows(deps.db.pool, page);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => {
      // In the order of versions the day never goes back.
      day = within(query, later(day, dayOf(row.createdAt)));
      return present(deps, row, query.balance, day);
    });
    from = last.version + 1n;
  }
}

async function openRange(deps: StatementDeps, accountId: string, query: StatementQuery): Promise<StatementRange> {
  const range = await findStatementRange(deps.db.pool, accountId, query.balance, periodInstants(query));
  if (!range) throw new Error(`Account ${accountId} has no ledger accounts.`);
  return range;
}

/**
 * The rows of a page that begins anywhere, with their days: only moments before a midnight can
 * count on the day after it.
 */
async function withDays(
  deps: StatementDeps,
  accountId: string,
  query: StatementQuery,
  rows: readonly StatementRow[],
): Promise<StatementEntry[]> {
  const lateOnes = rows.flatMap(({ createdAt }) => {
    const midnight = nextDayStart(createdAt).getTime();
    return midnight - createdAt.getTime() <= DISORDER_MS ? [midnight] : [];
  });
  const midnights = [...new Set(lateOnes)].map((ms) => new Date(ms));
  const begins = await findFirstVersions(deps.db.pool, accountId, query.balance, midnights);
  let day = query.from;
  return rows
    .toReversed()
    .map((row) => {
      const begun = midnights.filter((_, index) => (begins[index] ?? row.version + 1n) <= row.version).map(dayOf);
      day = within(query, [dayOf(row.createdAt), ...begun].reduce(later, day));
      return present(deps, row, query.balance, day);
    })
    .toReversed();
}

const later = (a: string, b: string): string => (a > b ? a : b);
const within = ({ from, to }: StatementDays, day: string): string => (day < from ? from : day > to ? to : day);

function present(
  { secretBox }: StatementDeps,
  { kind, creditsAvailable, pixKey, pixKeyType, wallet, ...row }: StatementRow,
  balance: StatementBalance,
  day: string,
): StatementEntry {
  const id = row.transactionId ?? '';
  const { description, reference, customerName } = openTransaction(secretBox, { ...row, id });
  const { destination } = withDestination({ secretBox }, { id, type: row.transactionType, pixKey, pixKeyType, wallet });
  const name = entryNameOf({ ...row, kind, balance, creditsAvailable });
  return { ...row, description, reference, customerName, destination, day, name };
}
