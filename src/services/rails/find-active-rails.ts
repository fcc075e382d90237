import type { AccountTerms, CredentialKind } from '#db/accounts/account-terms.ts';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import type { RailChoice, RailRegistry } from '#rails/registry.ts';
import type { Deps } from '../deps.ts';
import { lacksOwnCredentials } from '../providers/require-own-credentials.ts';

type RailDeps = {
  rails: Pick<RailRegistry, 'pixFor' | 'cryptoFor'>;
  settings: Pick<Deps['settings'], 'requireOwnCredentials'>;
};

/**
 * Returns which operations would not be rejected for want of a provider: the account has one for
 * them, and they are not turned off for it. What the operator has turned off for every account
 * does not count: that passes, and is an error of its own.
 */
export async function findActiveRails(
  deps: RailDeps,
  terms: Pick<AccountTerms, 'mode' | 'credentials' | 'inactiveRails'>,
): Promise<Record<TransactionType, boolean>> {
  const { mode, credentials, inactiveRails } = terms;
  /** Null also where credentials can't be opened: nothing can be done over them. */
  const findRail = async <Rail>(kind: CredentialKind, railFor: (choice: RailChoice) => Promise<Rail | null>) =>
    lacksOwnCredentials(deps, terms, kind)
      ? null
      : railFor({ mode, credentialId: credentials[kind] ?? null }).catch(() => null);
  const [pix, crypto] = await Promise.all([
    findRail('api_pix', deps.rails.pixFor),
    findRail('plisio', deps.rails.cryptoFor),
  ]);
  const isOn = (type: TransactionType, rail: unknown) => Boolean(rail) && !inactiveRails.includes(type);
  return {
    pix_in: isOn('pix_in', pix),
    pix_out: isOn('pix_out', pix?.payouts),
    crypto_in: isOn('crypto_in', crypto),
    crypto_out: isOn('crypto_out', crypto),
  };
}
