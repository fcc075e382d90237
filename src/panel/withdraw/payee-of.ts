import type { PayeeOutput } from '#contract/payees/payees.ts';
import { CURRENCIES } from '#domain/quotes/currencies.ts';
import { currencyOf, type Draft, keyOf } from './draft.ts';
import { isSameWallet } from './wallet-check.ts';

/**
 * Returns the payee that a draft goes to; null: it goes to none of these; undefined: the
 * destination is not complete yet.
 */
export function payeeOf(draft: Draft, payees: readonly PayeeOutput[]): PayeeOutput | null | undefined {
  if (draft.kind === 'crypto') return walletPayeeOf(draft, payees);
  const found = keyOf(draft);
  return found ? (payees.find(({ pix_key: key }) => key === found.key) ?? null) : undefined;
}

function walletPayeeOf(draft: Draft, payees: readonly PayeeOutput[]): PayeeOutput | null | undefined {
  const code = currencyOf(draft);
  if (code === null || draft.wallet.trim() === '') return undefined;
  const memo = draft.memo.trim() || null;
  const found = payees.find(
    (payee) =>
      payee.wallet !== null &&
      payee.network === CURRENCIES[code].network &&
      payee.memo === memo &&
      isSameWallet(draft.wallet, payee.wallet, code),
  );
  return found ?? null;
}
