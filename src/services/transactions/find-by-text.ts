import { searchTransactions } from '#db/transactions/search-transactions.ts';
import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { amountOfText, idEnd, idsBeginningWith } from '#domain/transactions/search-text.ts';
import { possibleWallets } from '#domain/withdrawals/wallet-address.ts';
import type { Deps } from '../deps.ts';
import { type ListedTransaction, readSearchText, withDestination } from './list-transactions.ts';

/** As many as one glance takes in. */
const FOUND_MAX = 8;

/**
 * The transactions of an account that a text may mean, at most eight: by id or txid (whole, its
 * beginning or its end), end-to-end id, provider's id, wallet, document, telephone, exact amount,
 * or by the beginnings of words of the name, e-mail and description. Without an account: of all
 * accounts, by ids, txids, end-to-end ids, providers' ids and wallets alone.
 */
export async function findByText(deps: Deps, accountId: string | null, text: string): Promise<ListedTransaction[]> {
  const typed = text.trim();
  if (typed === '') return [];
  const ownText = accountId === null ? null : readSearchText(deps, accountId, typed);
  const terms = {
    ids: idsBeginningWith(typed),
    idEnd: idEnd(typed),
    identifier: IDENTIFIER.test(typed) ? typed : null,
    wallets: ownText?.wallets ?? possibleWallets(typed),
    documentIndexes: ownText && DOCUMENT.test(typed) ? ownText.documentIndexes : null,
    centavos: ownText && amountOfText(typed),
    tokens: ownText?.tokens ?? [],
  };
  const found = await searchTransactions(deps.db.pool, accountId, terms, FOUND_MAX);
  return found.map((row) => withDestination(deps, openTransaction(deps.secretBox, row)));
}

/** The shortest are providers' ids (24 characters), the longest wallets. */
const IDENTIFIER = /^[0-9A-Za-z_:-]{20,120}$/;
/** A CPF or CNPJ, with its punctuation or without. */
const DOCUMENT = /^(?=(?:[^0-9A-Za-z]*[0-9A-Za-z]){11,14}[^0-9A-Za-z]*$)[0-9A-Za-z./ -]+$/;
