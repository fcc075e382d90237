import type { AccountTerms, CredentialKind } from '#db/accounts/account-terms.ts';
import type { Balances } from '#db/ledger/ledger.ts';

export type Sendable = {
  /** What an account could send now by its rail of a kind; zero or less: nothing. */
  availableCentavos: bigint;
  /** What its balance has beside, at the provider of credentials of its own. */
  atOwnProviderCentavos: bigint;
};

/**
 * Divides an available balance by what the account's rail of this kind could send of it. What came
 * over credentials of an account's own is at their provider: the installation's rails send none of
 * it.
 */
export const sendableOf = (
  { availableCentavos, ownCentavos }: Pick<Balances, 'availableCentavos' | 'ownCentavos'>,
  { mode, credentials }: Pick<AccountTerms, 'mode' | 'credentials'>,
  kind: CredentialKind,
): Sendable =>
  (mode === 'live' && credentials[kind]) || ownCentavos <= 0n
    ? { availableCentavos, atOwnProviderCentavos: 0n }
    : { availableCentavos: availableCentavos - ownCentavos, atOwnProviderCentavos: ownCentavos };
