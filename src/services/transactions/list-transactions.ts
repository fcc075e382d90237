import { CUSTOMER_DOCUMENT_INDEX } from '#db/encryption/sealed-columns.ts';
import type { TransactionFilter } from '#db/transactions/transaction-filter.ts';
import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { listTransactions, type TransactionListing } from '#db/transactions/transactions.ts';
import { maskPixKey } from '#domain/encryption/masked.ts';
import { pairTokens, queryTokens } from '#domain/transactions/search-tokens.ts';
import { isUuid, txidToUuid } from '#domain/values/uuid.ts';
import { possibleWallets } from '#domain/withdrawals/wallet-address.ts';
import type { Deps } from '../deps.ts';
import { openPixKey } from '../withdrawals/request-pix-withdrawal.ts';
import { referenceIndexes } from './seal-merchant-fields.ts';

export type ListInput = Omit<TransactionFilter, 'text' | 'reference' | 'metadata' | 'before'> & {
  text: string | null;
  /** The merchant's reference, whole. */
  reference: string | null;
  /** A pair of metadata, as `metadataPair` writes it. */
  metadata: string | null;
  /** The id of the last transaction of the page before. */
  cursor: string | null;
};

/** Where a withdrawal goes, readable: its PIX key (people's numbers masked) or its wallet. */
type Destination = { destination: string | null };
export type ListedTransaction = TransactionListing & Destination;

/**
 * A page of an account's transactions, newest first, and the cursor of the next one; null at the
 * end.
 */
export async function listOwnTransactions(
  deps: Deps,
  accountId: string,
  input: ListInput,
): Promise<{ transactions: ListedTransaction[]; nextCursor: string | null }> {
  const { text, reference, metadata, cursor, limit, ...filter } = input;
  // One more than the page shows whether there is another one.
  const found = await listTransactions(deps.db.pool, accountId, {
    ...filter,
    text: text === null ? null : readSearchText(deps, accountId, text),
    reference: reference === null ? null : referenceIndexes(deps, accountId, reference),
    metadata: metadata === null ? null : pairTokens(deps.secretBox, accountId, metadata),
    before: cursor,
    limit: limit + 1,
  });
  const transactions = found.slice(0, limit).map((row) => readable(deps, row));
  return { transactions, nextCursor: found.length > limit ? (transactions.at(-1)?.id ?? null) : null };
}

/** A transaction of a list with its texts and its destination, readable. */
export const readable = <T extends TransactionListing>(deps: Pick<Deps, 'secretBox'>, row: T): T & Destination =>
  withDestination(deps, openTransaction(deps.secretBox, row));

/**
 * A transaction with its destination, readable; null where it is no withdrawal to a key or a
 * wallet.
 */
export function withDestination<T extends Destined>(deps: Pick<Deps, 'secretBox'>, row: T): T & Destination {
  if (row.type === 'crypto_out') return { ...row, destination: row.wallet };
  if (row.type !== 'pix_out' || row.pixKey === null) return { ...row, destination: null };
  return { ...row, destination: maskPixKey(openPixKey(deps, row), row.pixKeyType) };
}

type Destined = Pick<TransactionListing, 'id' | 'type' | 'pixKey' | 'pixKeyType' | 'wallet'>;

/**
 * The signed amount in centavos that the panel shows: the settled one, or while nothing is settled
 * the requested one, or the one to be sent.
 */
export const shownCentavos = (row: Pick<TransactionListing, ShownBy>): bigint =>
  row.settledGrossCentavos !== 0n
    ? row.settledGrossCentavos
    : row.type === 'pix_out' || row.type === 'crypto_out'
      ? -row.netCentavos
      : row.amountCentavos;

type ShownBy = 'type' | 'amountCentavos' | 'netCentavos' | 'settledGrossCentavos';

/** A typed search text, in the forms in which the database is searched. */
export function readSearchText(deps: Pick<Deps, 'secretBox'>, accountId: string, typed: string) {
  const text = typed.trim();
  return {
    contains: text,
    wallets: possibleWallets(text),
    tokens: queryTokens(deps.secretBox, accountId, text),
    uuid: isUuid(text) ? text : txidToUuid(text),
    // Documents are stored sealed, and found only by the fingerprints of their digits and capitals,
    // with any present master key.
    documentIndexes: deps.secretBox.fingerprints(
      text.replace(/[^0-9A-Za-z]/g, '').toUpperCase(),
      CUSTOMER_DOCUMENT_INDEX,
    ),
    referenceIndexes: referenceIndexes(deps, accountId, text),
  };
}
