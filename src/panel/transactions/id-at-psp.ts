import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { isMoneyOut } from './status-style.ts';

type PixTransaction = Pick<TransactionDetailView['transaction'], 'type' | 'transaction_id' | 'pix'>;

/**
 * Returns the id by which the PSP has a PIX transaction, a charge's txid or a payout's idEnvio;
 * null where no PSP knows our id: a payment that came without a charge, and a PIX that was made in
 * the bank's application.
 */
export const idAtPsp = ({ type, transaction_id: id, pix }: PixTransaction): string | null =>
  (isMoneyOut(type) ? pix?.pix_key : pix?.qr_code) ? id.replaceAll('-', '') : null;

/** Returns the txid of a charge; null where there is none, as of a payout. */
export const chargeTxid = (transaction: PixTransaction): string | null =>
  transaction.type === 'pix_in' ? idAtPsp(transaction) : null;
