import { findWebhookSecret } from '#db/accounts/accounts.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { createApiKey } from '../api-keys/manage-api-keys.ts';
import type { ActingPrincipal } from '../api-keys/principal.ts';
import { actorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { getSignUpPolicy } from '../members/sign-up-policy.ts';
import { requireCallable } from '../webhooks/require-callable.ts';
import { openWebhookSecret } from '../webhooks/webhook-secret.ts';
import { ownTime } from './on-test-clock.ts';
import { AccountRejected, openAccount } from './open-account.ts';

export type CreateAccountInput = {
  /** The id it will have; a request that is repeated brings the same one again. */
  id: string;
  name: string;
  email: string;
  document: string;
  documentType: 'cpf' | 'cnpj';
  phone: string | null;
  currency: string | null;
  webhookUrl: string | null;
};

export type CreatedAccount = {
  accountId: string;
  kycStatus: 'pending';
  mode: 'live' | 'test';
  apiKey: string;
  secretKey: string;
};

/**
 * Opens an account for a new merchant, where the key's merchant may do so: in the key's mode, not
 * verified yet, without fees, limits or permissions of its own. Nothing is changed for a merchant
 * that exists already: a key must not reach another merchant's account. Errors: permission_denied
 * (also where the operator alone opens accounts), invalid_input (webhook URL), account_exists (a
 * merchant has this e-mail or document).
 */
export async function createAccountFor(
  deps: Deps,
  account: ActingPrincipal,
  input: CreateAccountInput,
): Promise<CreatedAccount> {
  if (!account.mayCreateAccounts || (await getSignUpPolicy(deps)) === 'closed')
    throw new DomainError('permission_denied');
  if (input.webhookUrl !== null) await requireCallable(deps, account.mode, input.webhookUrl, 'webhookUrl');
  try {
    const opened = await openAccount(
      // The new account has no clock of its own, whatever the time is for the one that opens it.
      { ...deps, clock: () => ownTime(deps) },
      {
        ...input,
        accountId: input.id,
        kycStatus: 'pending',
        mode: account.mode,
        fees: [],
        limits: [],
        canCreateAccounts: false,
        onlyNewMerchant: true,
      },
      // The entry is in the audit of the merchant who opens the account.
      () => actorEntry(deps, account, 'account.opened', { subject: input.id }),
    );
    return { ...opened, kycStatus: 'pending' };
  } catch (error) {
    if (!(error instanceof AccountRejected && error.why === 'exists')) throw error;
    return resume(deps, account.mode, input.id);
  }
}

/**
 * Completes an attempt that opened the account and died before it responded: its first key is lost,
 * so another one is made. Errors: account_exists, when there is no account with this id: then the
 * e-mail or document is another merchant's.
 */
async function resume(deps: Deps, mode: 'live' | 'test', id: string): Promise<CreatedAccount> {
  const sealed = await findWebhookSecret(deps.db, id);
  const key = sealed && (await createApiKey(deps, { accountId: id, name: 'Primeira chave' }));
  if (!sealed || !key) throw new DomainError('account_exists');
  const secretKey = openWebhookSecret(deps, id, sealed);
  return { accountId: id, kycStatus: 'pending', mode, apiKey: key.apiKey, secretKey };
}
