import type { CurrencyCode } from '#domain/quotes/currencies.ts';
import { loadPart } from '#panel/connection/lazy-part.ts';

/**
 * The checks of wallet addresses. They are loaded later, because they bring hash functions of their
 * own: 20 kB that only a crypto withdrawal needs. Until then any text passes; the service checks
 * everything again.
 */
let checks: typeof import('#domain/withdrawals/wallet-address.ts') | null = null;

/** Loads the checks of addresses and memos. */
export async function loadWalletChecks(): Promise<void> {
  checks ??= await loadPart(() => import('#domain/withdrawals/wallet-address.ts'));
}

/** Returns the address as the network writes it; null where it is invalid. */
export const walletOf = (text: string, code: CurrencyCode): string | null =>
  checks ? checks.parseWallet(text, code) : text.trim() || null;

/** Whether a typed address is `wallet`, given in its canonical form, in any spelling. */
export function isSameWallet(text: string, wallet: string, code: CurrencyCode): boolean {
  const typed = walletOf(text, code);
  if (typed === null || !checks) return typed === wallet;
  return checks.walletSpellings(wallet, code).includes(typed);
}

/** Returns the memo as the network writes it; null where it is invalid. */
export const memoOf = (text: string, code: CurrencyCode): string | null =>
  checks ? checks.parseMemo(text, code) : text.trim() || null;
