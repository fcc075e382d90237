import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import type { ListedTransaction } from '#contract/transactions/transactions.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import type { Formats } from '#panel/create-formats.ts';
import { isMoneyOut } from './status-style.ts';

type LineName =
  | 'asked'
  | 'charged'
  | 'credited'
  | 'sent'
  | 'toSend'
  | 'debited'
  | 'willBeDebited'
  | 'held'
  | 'fee'
  | 'expectedFee'
  | 'split'
  | 'refunded'
  | 'net'
  | 'expectedNet';

/** One line of a sum; `total`: the sum of the lines above. */
export type MoneyLine = { name: LineName; reais: number; total?: true };

type Amounts = Pick<ListedTransaction, 'type' | 'amount' | 'net_amount' | 'settled'>;

/** Whether money has moved by it, so that its figures are the ledger's. */
export const isSettled = ({ settled }: Pick<ListedTransaction, 'settled'>): boolean => settled.gross !== 0;

/**
 * The amount of a transaction, with its sign: what the payer paid and was credited, or what the
 * receiver was sent; what was asked for, or is to be sent, while nothing has moved.
 */
export function shownAmount({ type, amount, net_amount: net, settled }: Amounts): number {
  if (settled.gross !== 0) return settled.gross;
  return isMoneyOut(type) ? -net : amount;
}

/**
 * How a transaction's amount comes to what it leaves in, or takes from, the account: gross, fee,
 * split and refunds, net; each line with its sign, so that they add up to the total. What has moved
 * is the ledger's; what may still move is shown as expected; where nothing moved and nothing is
 * waited for there is only what was asked.
 */
export function moneyLines(transaction: TransactionDetailView['transaction']): MoneyLine[] {
  const { type, status, amount, amount_fees: fees, net_amount: net, split, settled } = transaction;
  const out = isMoneyOut(type);
  const part = (name: LineName, reais: number): MoneyLine[] => (reais === 0 ? [] : [{ name, reais: -reais }]);
  if (isSettled(transaction)) {
    return [
      {
        name: out ? 'sent' : type === 'crypto_in' || type === 'split_in' ? 'credited' : 'charged',
        reais: settled.gross,
      },
      ...part('fee', settled.fees),
      ...part('split', settled.split),
      ...part('refunded', settled.refunded),
      { name: out ? 'debited' : 'net', reais: settled.net, total: true },
    ];
  }
  if (status !== 'pending' && status !== 'processing') return [{ name: 'asked', reais: shownAmount(transaction) }];
  if (out) {
    return [
      { name: 'toSend', reais: -net },
      ...part('expectedFee', fees),
      {
        name: transaction.sub_status === 'scheduled' ? 'willBeDebited' : 'held',
        reais: -inCents(net + fees),
        total: true,
      },
    ];
  }
  return [
    { name: 'asked', reais: amount },
    ...part('expectedFee', fees),
    ...part('split', split?.amount ?? 0),
    { name: 'expectedNet', reais: net, total: true },
  ];
}

/** A sum of two amounts in reais has no more decimals than they. */
const inCents = (reais: number) => Math.round(reais * 100) / 100;

/** A quantity with its coin, e.g. `18,703704 USDT`: every decimal it has, eight at most. */
export function coinsText(quantity: number, currency: string, formats: Formats): string {
  const text = quantity.toFixed(8).replace(/\.?0+$/, '');
  return formats.coins(text, isCurrencyCode(currency) ? CURRENCIES[currency].asset : currency);
}

type Coins = Pick<ListedTransaction, 'type' | 'currency' | 'crypto_amount' | 'crypto_received' | 'settled'>;

/**
 * The quantity of a crypto transaction: of an invoice what was credited, once something is, else
 * what was asked. Null for any other transaction.
 */
export function shownCoins(transaction: Coins, formats: Formats): string | null {
  const { type, currency, crypto_amount: asked, crypto_received: received } = transaction;
  const quantity = type === 'crypto_in' && isSettled(transaction) ? received : asked;
  return currency && quantity !== null ? coinsText(quantity, currency, formats) : null;
}
