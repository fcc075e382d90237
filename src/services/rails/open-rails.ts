import type { AccountTerms } from '#db/accounts/account-terms.ts';
import type { CryptoRail, PixRail } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { requireOwnCredentials } from '../providers/require-own-credentials.ts';
import { checkRail } from './check-rail.ts';

type RailDeps = Pick<Deps, 'rails' | 'settings'>;

/**
 * Returns the rail by which an account takes or sends PIX now; null where it has none, or the rail
 * is switched off for the account. Errors, in this order: rail_closed, own_credentials_required.
 */
export async function findOpenPixRail(
  deps: RailDeps,
  terms: AccountTerms,
  type: 'pix_in' | 'pix_out',
): Promise<PixRail | null> {
  checkRail(terms, type);
  requireOwnCredentials(deps, terms, 'api_pix');
  const { mode, credentials, inactiveRails } = terms;
  return inactiveRails.includes(type) ? null : deps.rails.pixFor({ mode, credentialId: credentials.api_pix ?? null });
}

/** As findOpenPixRail(), for crypto. */
export async function findOpenCryptoRail(
  deps: RailDeps,
  terms: AccountTerms,
  type: 'crypto_in' | 'crypto_out',
): Promise<CryptoRail | null> {
  checkRail(terms, type);
  requireOwnCredentials(deps, terms, 'plisio');
  const { mode, credentials, inactiveRails } = terms;
  return inactiveRails.includes(type) ? null : deps.rails.cryptoFor({ mode, credentialId: credentials.plisio ?? null });
}
