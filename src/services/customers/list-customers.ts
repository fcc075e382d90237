import {
  type CustomerRow,
  type CustomerToFind,
  findCustomers,
  findDocuments,
  findEndOfWalk,
  findNewestOf,
  listNewestOfCustomers,
  type SealedOf,
  searchNewestOfCustomers,
} from '#db/customers/customers.ts';
import { CUSTOMER_DOCUMENT_INDEX, type SealedColumnName, sealContext } from '#db/encryption/sealed-columns.ts';
import type { Deps } from '../deps.ts';
import { readSearchText } from '../transactions/list-transactions.ts';

/** A customer of an account, with the newest of what the account was given of them. */
export type Customer = Omit<CustomerRow, 'newestId' | 'name' | 'email' | 'phone'> & {
  /** Not masked, because it is the account's own data. */
  document: string;
  name: string | null;
  email: string | null;
  phone: string | null;
};

/**
 * Where a page begins: after `before`, in the order that the customers had with `asOf` as the
 * newest transaction of all.
 */
export type CustomerCursor = { before: string; asOf: string };

export type CustomerPage = {
  customers: Customer[];
  /** Of the next page; null at the end. */
  nextCursor: CustomerCursor | null;
  /** A search that found more than it shows, or did not read all that it may find. */
  hasMore: boolean;
};

/** The ledger adds up the figures of each customer on a page, so a page is a screen long. */
const PAGE_LENGTH = 25;
/** The most customers that a search shows; a longer text finds fewer. */
const FOUND_MAX = 50;
/**
 * How many transactions a page reads to find customers: some tens of milliseconds. Where one
 * customer has them all, a page may have no customer, and yet a next one.
 */
const WALK_MAX = 10_000;
/** The most transactions that a search reads, the newest first; they are grouped by customer. */
const MATCHES_MAX = 2_000;
/** How many it reads at first: of a name that many customers have, these have enough of them. */
const MATCHES_FIRST = 200;

/**
 * A page of an account's customers, those with the newest transaction first. With a text: those of
 * whom a transaction has this document or telephone, or the words of the text in its name, e-mail
 * or description (also an earlier name), at most fifty.
 */
export async function listCustomers(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  { text, cursor }: { text: string | null; cursor: CustomerCursor | null },
): Promise<CustomerPage> {
  const { pool } = deps.db;
  if (text !== null && text.trim() !== '') {
    const search = readSearchText(deps, accountId, text);
    const find = (matches: number) =>
      searchNewestOfCustomers(pool, accountId, search, { matches, limit: FOUND_MAX + 1 });
    const first = await find(MATCHES_FIRST);
    const isFew = first.hasMore && first.ids.length <= FOUND_MAX;
    const { ids, hasMore } = isFew ? await find(MATCHES_MAX) : first;
    const named = await nameCustomers(deps, accountId, ids.slice(0, FOUND_MAX), null);
    // By an earlier name they may be found under the fingerprint of another master key.
    const found = [...new Map(named.map((one) => [one.newestId, one])).values()];
    return {
      customers: await readCustomers(deps, accountId, found),
      nextCursor: null,
      hasMore: hasMore || ids.length > FOUND_MAX,
    };
  }
  const walk = { before: cursor?.before ?? null, walk: WALK_MAX };
  const asOf = cursor?.asOf ?? null;
  const ids = await listNewestOfCustomers(pool, accountId, { ...walk, asOf, limit: PAGE_LENGTH + 1 });
  const shown = ids.slice(0, PAGE_LENGTH);
  const isFull = ids.length > PAGE_LENGTH;
  const before = isFull ? (shown.at(-1) ?? null) : await findEndOfWalk(pool, accountId, walk);
  const nextCursor = before === null ? null : { before, asOf: asOf ?? ids[0] ?? before };
  const named = await nameCustomers(deps, accountId, shown, asOf);
  // The others are on the page of their newest transaction.
  const customers = named.filter(({ id, newestId }) => id === newestId);
  return { customers: await readCustomers(deps, accountId, customers), nextCursor, hasMore: false };
}

/** A customer who is to be read, with the document in the clear. */
export type NamedCustomer = CustomerToFind & { document: string };

/**
 * The customers of these transactions, in their order. `newestId` is of all master keys that are
 * present, up to `asOf`.
 */
async function nameCustomers(
  { db, secretBox }: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  ids: readonly string[],
  asOf: string | null,
): Promise<(NamedCustomer & { id: string })[]> {
  const documents = await findDocuments(db.pool, accountId, ids);
  const named: (NamedCustomer & { id: string })[] = [];
  for (const id of ids) {
    const sealed = documents.get(id);
    if (sealed === undefined) continue;
    const document = secretBox.open(sealed, sealContext('transactions.customer_document', { id }));
    const documentIndexes = secretBox.fingerprints(document, CUSTOMER_DOCUMENT_INDEX);
    // With one key it is the newest already.
    const newest = documentIndexes.length > 1 ? await findNewestOf(db.pool, accountId, documentIndexes, asOf) : id;
    named.push({ id, newestId: newest ?? id, document, documentIndexes });
  }
  return named;
}

/** These customers, in this order. */
export async function readCustomers(
  { db, secretBox }: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  named: readonly NamedCustomer[],
): Promise<Customer[]> {
  const rows = await findCustomers(db.pool, accountId, named);
  const open = (name: SealedColumnName, sealed: SealedOf | null) =>
    sealed && secretBox.open(sealed.text, sealContext(name, { id: sealed.id }));
  const byId = new Map(rows.map((row) => [row.newestId, row]));
  return named.flatMap(({ newestId, document }) => {
    const found = byId.get(newestId);
    if (!found) return [];
    const { newestId: _, name, email, phone, ...row } = found;
    return {
      ...row,
      document,
      name: open('transactions.customer_name', name),
      email: open('transactions.customer_email', email),
      phone: open('transactions.customer_phone', phone),
    };
  });
}
