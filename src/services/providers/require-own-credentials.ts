import type { AccountTerms, CredentialKind } from '#db/accounts/account-terms.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';

type Terms = Pick<AccountTerms, 'mode' | 'credentials'>;
type SettingsDeps = { settings: Pick<Deps['settings'], 'requireOwnCredentials'> };

/** Whether a live account has to connect a provider of this kind before it can use one. */
export const lacksOwnCredentials = ({ settings }: SettingsDeps, terms: Terms, kind: CredentialKind): boolean =>
  settings.requireOwnCredentials && terms.mode === 'live' && terms.credentials[kind] === undefined;

/** Throws own_credentials_required where the account has to connect such a provider first. */
export function requireOwnCredentials(deps: SettingsDeps, terms: Terms, kind: CredentialKind): void {
  if (lacksOwnCredentials(deps, terms, kind)) throw new DomainError('own_credentials_required');
}
