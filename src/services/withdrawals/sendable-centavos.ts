import type { AccountTerms, CredentialKind } from '#db/accounts/account-terms.ts';
import type { Balances } from '#db/ledger/ledger.ts';

/**
 * What an account could send now by its rail of this kind, in centavos. What came over credentials
 * of an account's own is at their provider: the installation's rails send none of it, and may have
 * nothing (zero or less) of a balance that is not empty.
 */
export const sendableCentavos = (
  { availableCentavos, ownCentavos }: Pick<Balances, 'availableCentavos' | 'ownCentavos'>,
  { mode, credentials }: Pick<AccountTerms, 'mode' | 'credentials'>,
  kind: CredentialKind,
): bigint =>
  (mode === 'live' && credentials[kind]) || ownCentavos <= 0n ? availableCentavos : availableCentavos - ownCentavos;
