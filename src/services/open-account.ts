import { AccountExists, insertAccount, type KycStatus } from '#db/accounts.ts';
import { generateApiKey, hashApiKey, readApiKey } from '#domain/api-key-format.ts';
import { parseCallbackUrl } from '#domain/callback-url.ts';
import { TOPICS } from '#domain/events.ts';
import type { Fee } from '#domain/fees.ts';
import type { TransactionType } from '#domain/transaction-states.ts';
import { uuidv7 } from '#domain/uuid.ts';
import { generateWebhookSecret } from '#domain/webhook-signature.ts';
import { type Deps, urlPolicy } from './deps.ts';

export type OpenAccountInput = {
  name: string;
  email: string;
  document: string;
  documentType: 'cpf' | 'cnpj';
  kycStatus: KycStatus;
  mode: 'live' | 'test';
  currency: string | null;
  fees: { type: TransactionType; fee: Fee }[];
  limits: { name: string; centavos: bigint }[];
  canCreateAccounts: boolean;
  /** Registered for every topic. */
  webhookUrl: string | null;
};

export type OpenedAccount = {
  merchantId: string;
  accountId: string;
  mode: 'live' | 'test';
  /** Shown this once: only its hash is kept. */
  apiKey: string;
  secretKey: string;
};

/** Why an account was not opened, in words for whoever asked. */
export class AccountRefused extends Error {}

/** Opens an account with its first API key and its webhook secret, and its merchant where it is new. Throws AccountRefused. */
export async function openAccount(
  deps: Pick<Deps, 'db' | 'clock' | 'secretBox' | 'settings'>,
  input: OpenAccountInput,
): Promise<OpenedAccount> {
  const { mode, webhookUrl } = input;
  const parsed = webhookUrl === null ? null : parseCallbackUrl(webhookUrl, urlPolicy(deps, mode));
  if (parsed && !parsed.ok) throw new AccountRefused(`The webhook URL is refused (${parsed.reason}).`);

  const now = deps.clock();
  const accountId = uuidv7(now);
  const apiKey = generateApiKey(mode);
  const secretKey = generateWebhookSecret();
  try {
    const { merchantId } = await insertAccount(deps.db, {
      merchant: {
        id: uuidv7(now),
        name: input.name,
        email: input.email,
        document: input.document,
        documentType: input.documentType,
        kycStatus: input.kycStatus,
        canCreateAccounts: input.canCreateAccounts,
      },
      account: {
        id: accountId,
        mode,
        currency: input.currency,
        webhookSecret: deps.secretBox.seal(secretKey, `webhook-secret:${accountId}`),
      },
      key: {
        id: uuidv7(now),
        name: 'Primeira chave',
        hash: hashApiKey(apiKey),
        prefix: readApiKey(apiKey)?.prefix ?? '',
      },
      fees: input.fees,
      limits: input.limits,
      endpoints: webhookUrl === null ? [] : TOPICS.map((topic) => ({ id: uuidv7(now), topic, url: webhookUrl })),
      now,
    });
    return { merchantId, accountId, mode, apiKey, secretKey };
  } catch (error) {
    if (error instanceof AccountExists) {
      throw new AccountRefused(`The merchant with this e-mail already has a ${mode} account.`);
    }
    throw error;
  }
}
