import { findWebhookSecret } from '#db/accounts/accounts.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { createApiKey } from '../api-keys/manage-api-keys.ts';
import type { ActingPrincipal } from '../api-keys/principal.ts';
import { actorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { getSignUpPolicy } from '../members/sign-up-policy.ts';
import { openWebhookSecret } from '../webhooks/webhook-secret.ts';
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
 * Opens an account for another merchant, where the key's merchant may do so: of the key's mode, not
 * verified yet, without fees, limits or permissions of its own. Nothing is changed for a merchant
 * that exists already: a key must not reach another merchant's account. Errors: permission_denied
 * (also where the operator alone opens accounts), invalid_input (webhook URL), account_exists (this
 * e-mail or document is a merchant's).
 */
export async function createAccountFor(
  deps: Deps,
  account: ActingPrincipal,
  input: CreateAccountInput,
): Promise<CreatedAccount> {
  if (!account.mayCreateAccounts || (await getSignUpPolicy(deps)) === 'closed')
    throw new DomainError('permission_denied');
  try {
    const opened = await openAccount(
      deps,
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
      // It is in the audit of the merchant who opens it.
      () => actorEntry(deps, account, 'account.opened', { subject: input.id }),
    );
    return { ...opened, kycStatus: 'pending' };
  } catch (error) {
    if (!(error instanceof AccountRejected)) throw error;
    if (error.why === 'exists') return resume(deps, account.mode, input.id);
    throw new DomainError('invalid_input', { details: [fieldIssue('webhookUrl', 'url_not_public')] });
  }
}

/**
 * The attempt before this one opened the account and died before it responded: its first key is
 * lost, so another one is made. Errors: account_exists, when there is no account of this id: then
 * it belongs to another merchant.
 */
async function resume(deps: Deps, mode: 'live' | 'test', id: string): Promise<CreatedAccount> {
  const sealed = await findWebhookSecret(deps.db, id);
  const key = sealed && (await createApiKey(deps, { accountId: id, name: 'Primeira chave' }));
  if (!sealed || !key) throw new DomainError('account_exists');
  const secretKey = openWebhookSecret(deps, id, sealed);
  return { accountId: id, kycStatus: 'pending', mode, apiKey: key.apiKey, secretKey };
}
