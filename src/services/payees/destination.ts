import { PIX_KEY_INDEX, pixKeyOfAccount } from '#db/encryption/sealed-columns.ts';
import { currencyOn, type Network } from '#domain/quotes/currencies.ts';
import { walletSpellings } from '#domain/withdrawals/wallet-address.ts';
import type { Deps } from '../deps.ts';

/**
 * The destination of a PIX withdrawal: the fingerprints of its key for this account. `pixKey`: as
 * DICT spells it.
 */
export const pixDestination = ({ secretBox }: Pick<Deps, 'secretBox'>, accountId: string, pixKey: string) => ({
  pixKeyIndexes: secretBox.fingerprints(pixKeyOfAccount(accountId, pixKey), PIX_KEY_INDEX),
  network: null,
  wallets: [],
  memo: null,
});

/**
 * The destination of a crypto withdrawal: all spellings of its wallet. `wallet`: in its canonical
 * form.
 */
export const walletDestination = (of: { network: Network; wallet: string; memo: string | null }) => ({
  pixKeyIndexes: [],
  network: of.network,
  wallets: walletSpellings(of.wallet, currencyOn(of.network)),
  memo: of.memo,
});
