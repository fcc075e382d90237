import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';

type Parties = { customerName: string | null; destination: string | null; currency: string | null };

/**
 * Returns who a transaction is with, by what is known of them: a name, where it goes, or the coin
 * that a payer without a name sends. `null` where nothing is known.
 */
export const otherParty = ({ customerName, destination, currency }: Parties): string | null =>
  customerName ?? destination ?? (currency !== null && isCurrencyCode(currency) ? CURRENCIES[currency].name : currency);

/**
 * Returns the title of a transaction where one text stands for it: a name, where it goes, what it
 * is for, its coin, or the end of its id.
 */
export const transactionTitle = (id: string, about: Parties & { description: string | null }): string =>
  about.customerName ?? about.destination ?? about.description ?? otherParty(about) ?? `…${id.slice(-6)}`;
