import { type AccountOwner, findOwners, ownerOf } from '#db/accounts/find-owners.ts';
import {
  filterTransactions,
  listAllTransactions as findAllTransactions,
} from '#db/transactions/list-all-transactions.ts';
import type { DisplayStatus } from '#domain/transactions/display-status.ts';
import type { ListedType } from '#domain/transactions/transaction-states.ts';
import type { Deps } from '../deps.ts';
import { findByText } from '../transactions/find-by-text.ts';
import { type ListedTransaction, listOwnTransactions, readable } from '../transactions/list-transactions.ts';

export type TransactionOfAccount = ListedTransaction & { owner: AccountOwner };

type Filter = {
  /** Null: of every account. */
  accountId: string | null;
  type: ListedType | null;
  displayStatus: DisplayStatus | null;
  /** Created at or after, and before. */
  from: Date | null;
  to: Date | null;
  /** Within one account all that its members can search; within all, ids and identifiers only. */
  text: string | null;
  /** The id that the page before gave. */
  before: string | null;
  limit: number;
};

/**
 * How many transactions one search over all accounts reads, within some ten milliseconds; the next
 * page continues from there.
 */
const SCAN_MAX = 10_000;

/**
 * Transactions as the operator sees them, newest first, with the owners of their accounts. A page
 * may be short although there are more, because one search reads only a part of them. A text that
 * is searched in all accounts has one page: of what it finds, that which the other filters find.
 */
export async function listAllTransactions(
  deps: Deps,
  filter: Filter,
): Promise<{ transactions: TransactionOfAccount[]; next: string | null }> {
  const { transactions, next } = await find(deps, filter);
  const owners = await findOwners(
    deps.db,
    transactions.map(({ accountId }) => accountId),
  );
  return { transactions: transactions.map((one) => ({ ...one, owner: ownerOf(owners, one) })), next };
}

async function find(deps: Deps, filter: Filter): Promise<{ transactions: ListedTransaction[]; next: string | null }> {
  const { accountId, type, displayStatus, from, to, text, before, limit } = filter;
  const types = type === null ? [] : [type];
  const displayStatuses = displayStatus === null ? [] : [displayStatus];
  if (accountId !== null) {
    const unasked = {
      paidFrom: null,
      paidTo: null,
      minCentavos: null,
      maxCentavos: null,
      reference: null,
      metadata: null,
    };
    const asked = { ...unasked, statuses: [], types, displayStatuses, from, to, text, cursor: before, limit };
    const { transactions, nextCursor } = await listOwnTransactions(deps, accountId, asked);
    return { transactions, next: nextCursor };
  }
  if (text !== null) {
    const found = await findByText(deps, null, text);
    const ids = found.map(({ id }) => id);
    const asked = await filterTransactions(deps.db.pool, ids, { types, displayStatuses, from, to });
    return { transactions: found.filter(({ id }) => asked.has(id)), next: null };
  }
  const isFiltered = types.length > 0 || displayStatuses.length > 0 || from !== null || to !== null;
  // Without a filter the page is what is read.
  const scan = isFiltered ? SCAN_MAX : limit + 1;
  const asked = { types, displayStatuses, from, to, before, limit: limit + 1, scan };
  const { transactions: found, scanned, last } = await findAllTransactions(deps.db.pool, asked);
  const page = found.slice(0, limit).map((row) => readable(deps, row));
  if (found.length > limit) return { transactions: page, next: page.at(-1)?.id ?? null };
  return { transactions: page, next: scanned === scan ? last : null };
}
