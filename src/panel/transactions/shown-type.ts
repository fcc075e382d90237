import type { ListedTransaction } from '#contract/transactions/transactions.ts';

type TypeFields = Pick<ListedTransaction, 'type' | 'destination'>;

/**
 * The name of a transaction's type in `panel.transactions.types`. A PIX without a key was made in
 * the bank's application, and the account pays for it.
 */
export const shownType = ({ type, destination }: TypeFields) =>
  type === 'pix_out' && destination === null ? 'pix_at_bank' : type;
