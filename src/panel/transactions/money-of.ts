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

export type MoneyDetail = Pick<TransactionDetailView, 'transaction' | 'ledger'>;

/** Whether the transaction has moved money, so that its figures are the ledger's. */
export const isSettled = ({ settled }: Pick<ListedTransaction, 'settled'>): boolean => settled.gross !== 0;

/**
 * Returns the amount of a transaction in reais, with its sign. Once money has moved it is what was
 * paid, credited or sent; before, what was asked for or is to be sent.
 */
export function shownAmount({ type, amount, net_amount: net, settled }: Amounts): number {
  if (settled.gross !== 0) return settled.gross;
  return isMoneyOut(type) ? -net : amount;
}

/**
 * Returns the lines from a transaction's amount to what it brings to, or takes from, the account:
 * gross, fee, split and refunds, net; each with its sign, so that they add up to the total. What
 * has moved is the ledger's, what may still move is shown as expected; otherwise there is only what
 * was asked for. What waits for its date is held only where the ledger says so.
 */
export function moneyLines({ transaction, ledger }: MoneyDetail): MoneyLine[] {
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
        name: ledger.some(({ kind }) => kind === 'withdrawal_requested') ? 'held' : 'willBeDebited',
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

/** Rounds a sum of reais to centavos, because doubles do not add up exactly. */
const inCents = (reais: number) => Math.round(reais * 100) / 100;

/** A quantity with its coin, e.g. `18,703704 USDT`: every decimal it has, eight at most. */
export function coinsText(quantity: number, currency: string, formats: Formats): string {
  const text = quantity.toFixed(8).replace(/\.?0+$/, '');
  return formats.coins(text, isCurrencyCode(currency) ? CURRENCIES[currency].asset : currency);
}

type Coins = Pick<ListedTransaction, 'type' | 'currency' | 'crypto_amount' | 'crypto_received' | 'settled'>;

/**
 * Returns the quantity of a crypto transaction with its coin: of an invoice what was credited, once
 * something is, else what was asked for. Null for any other transaction.
 */
export function shownCoins(transaction: Coins, formats: Formats): string | null {
  const { type, currency, crypto_amount: asked, crypto_received: received } = transaction;
  const quantity = type === 'crypto_in' && isSettled(transaction) ? received : asked;
  return currency && quantity !== null ? coinsText(quantity, currency, formats) : null;
}
