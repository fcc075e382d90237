import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { SecretOwner } from '#db/webhooks/webhook-secrets.ts';
import type { Deps } from '../deps.ts';

/** The context in which a secret is sealed, the current and the previous one alike. */
const contextOf = ({ kind, id }: SecretOwner) =>
  kind === 'account' ? sealContext('accounts.webhook_secret', { id }) : sealContext('endpoints.secret', { id });

/** The `whsec_…` that was sealed for this account. */
export const openWebhookSecret = (deps: Pick<Deps, 'secretBox'>, accountId: string, sealed: string): string =>
  openSecretOf(deps, { kind: 'account', id: accountId }, sealed);

/** The `whsec_…` that was sealed for an account or an endpoint. */
export const openSecretOf = (deps: Pick<Deps, 'secretBox'>, owner: SecretOwner, sealed: string): string =>
  deps.secretBox.open(sealed, contextOf(owner));

/** A secret of this account as it is kept. */
export const sealWebhookSecret = (deps: Pick<Deps, 'secretBox'>, accountId: string, secret: string): string =>
  sealSecretOf(deps, { kind: 'account', id: accountId }, secret);

/** A secret of an account or an endpoint as it is kept. */
export const sealSecretOf = (deps: Pick<Deps, 'secretBox'>, owner: SecretOwner, secret: string): string =>
  deps.secretBox.seal(secret, contextOf(owner));
