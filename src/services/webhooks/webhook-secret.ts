import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { Deps } from '../deps.ts';

/** In which an account's secret is sealed, the current one and the one before it alike. */
const contextOf = (accountId: string) => sealContext('accounts.webhook_secret', { id: accountId });

/** The `whsec_…` that was sealed for this account. */
export const openWebhookSecret = (deps: Pick<Deps, 'secretBox'>, accountId: string, sealed: string): string =>
  deps.secretBox.open(sealed, contextOf(accountId));

/** A secret of this account as it is kept. */
export const sealWebhookSecret = (deps: Pick<Deps, 'secretBox'>, accountId: string, secret: string): string =>
  deps.secretBox.seal(secret, contextOf(accountId));
