import type { ListedType, TransactionStatus } from '#domain/transactions/transaction-states.ts';
import type { ListedTransaction } from '#services/transactions/list-transactions.ts';

/** The words of the list in a file for people; a test holds them to those of the page. */
export const TYPE_WORDS: Record<ListedType, string> = {
  pix_in: 'Cobrança PIX',
  pix_out: 'Saque PIX',
  crypto_in: 'Fatura cripto',
  crypto_out: 'Saque cripto',
  split_in: 'Divisão recebida',
};

export const STATUS_WORDS: Record<TransactionStatus, string> = {
  pending: 'pendente',
  processing: 'em processamento',
  paid: 'paga',
  completed: 'concluído',
  expired: 'expirada',
  cancelled: 'cancelada',
  failed: 'falhou',
  review: 'em análise',
  refunded: 'estornada',
};

/** Of a PIX withdrawal, in the place of `paga`. */
export const WITHDRAWAL_PAID = 'pago';

/** Of a crypto invoice, in the place of its status. */
export const SUB_STATUS_WORDS: Record<string, string> = {
  partial: 'paga em parte',
  detected: 'confirmando',
  underpaid: 'paga a menos',
  overpaid: 'paga a mais',
  late: 'paga com atraso',
  paid_again: 'paga de novo',
};

/** Of a charge of which a part, but not all, went back to its payer. */
export const PARTIALLY_REFUNDED_WORD = 'estornada em parte';

export function statusWord({
  type,
  status,
  subStatus,
  refundedCentavos,
}: Pick<ListedTransaction, 'type' | 'status' | 'subStatus' | 'refundedCentavos'>): string {
  const special = subStatus === null ? undefined : SUB_STATUS_WORDS[subStatus];
  if (special) return special;
  if (type === 'pix_out' && status === 'paid') return WITHDRAWAL_PAID;
  if (type === 'pix_in' && status === 'paid' && refundedCentavos > 0n) return PARTIALLY_REFUNDED_WORD;
  return type === 'crypto_in' && status === 'completed' ? STATUS_WORDS.paid : STATUS_WORDS[status];
}
