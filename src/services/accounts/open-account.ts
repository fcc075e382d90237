import type { CredentialKind } from '#db/accounts/account-terms.ts';
import {
  AccountExists,
  findMerchantByEmail,
  insertAccount,
  type KycStatus,
  type NewAccount,
} from '#db/accounts/accounts.ts';
import { CredentialsTaken } from '#db/accounts/own-credentials.ts';
import type { AuditEntry } from '#db/audit/audit.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { Fee } from '#domain/accounts/fees.ts';
import { displayPartsOf, generateApiKey, hashApiKey } from '#domain/api-keys/api-key-format.ts';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { parseCallbackUrl } from '#domain/webhooks/callback-url.ts';
import { TOPICS } from '#domain/webhooks/events.ts';
import { generateWebhookSecret } from '#domain/webhooks/webhook-signature.ts';
import { readOwnCredentials } from '#rails/own-credentials.ts';
import { type AsOperator, operatorEntry } from '../audit/record-audit.ts';
import { type Deps, urlPolicy } from '../deps.ts';
import { sealNewCredentials } from '../providers/seal-credentials.ts';
import { sealWebhookSecret } from '../webhooks/webhook-secret.ts';
import { opensNoAmount } from './change-terms.ts';
import { openMerchantDocument, sealMerchantDocument } from './merchant-document.ts';

export type OpenAccountInput = {
  /** The id the account will have; made here where it is absent. */
  accountId?: string;
  name: string;
  email: string;
  document: string;
  documentType: 'cpf' | 'cnpj';
  phone?: string | null;
  kycStatus: KycStatus;
  mode: 'live' | 'test';
  currency: string | null;
  fees: { type: TransactionType; fee: Fee }[];
  /** The account's own, in place of the installation's defaults; null: explicitly no limit. */
  limits: { name: string; centavos: bigint | null }[];
  canCreateAccounts: boolean;
  /** Registered for every topic. */
  webhookUrl: string | null;
  inactiveRails?: TransactionType[];
  spreadBps?: number;
  toleranceBps?: number;
  /** The account's own credentials with providers, as setAccount takes them. */
  credentials?: { kind: CredentialKind; value: object | null }[];
  /** `false`: no API key is made; its members make their own in the panel. */
  firstKey?: boolean;
  /** Whether a merchant that exists is rejected; otherwise the account is added to it. */
  onlyNewMerchant?: boolean;
};

/** What account commands need: they also work beside a running service. */
export type AccountDeps = Pick<Deps, 'db' | 'clock' | 'secretBox'> &
  AsOperator & { settings: Pick<Deps['settings'], 'demo'> };

export type OpenedAccount = {
  merchantId: string;
  accountId: string;
  mode: 'live' | 'test';
  /** Shown this once: only its hash is kept. Not a valid key where `firstKey` is false. */
  apiKey: string;
  secretKey: string;
};

/** Thrown when an account is not opened or changed; the message is for the operator. */
export class AccountRejected extends Error {
  readonly why: 'exists' | 'document' | 'webhook_url' | 'credentials' | 'terms';

  constructor(why: AccountRejected['why'], message: string) {
    super(message);
    this.why = why;
  }
}

/**
 * Opens an account with its first API key and its webhook secret, and creates its merchant where
 * that is new. `audit` makes the audit entry of the same commit; the default names the operator.
 * Throws AccountRejected.
 */
export async function openAccount(
  deps: AccountDeps,
  input: OpenAccountInput,
  audit: (opened: { merchantId: string; accountId: string }) => AuditEntry | null = (opened) =>
    deps.operator === undefined ? null : operatorEntry(deps, opened, 'account.opened', auditedTerms(input)),
): Promise<OpenedAccount> {
  const limits = Object.fromEntries(input.limits.map(({ name, centavos }) => [name, centavos]));
  if (input.limits.length > 0 && (await opensNoAmount(deps, limits))) {
    throw new AccountRejected('terms', 'The least amount of an operation would be above its largest.');
  }
  if (!input.onlyNewMerchant) await rejectOtherDocument(deps, input);
  const { row, apiKey, secretKey } = prepareAccount(deps, input);
  try {
    const accountId = row.account.id;
    const { merchantId } = await insertAccount(deps.db, row, (merchantId) => audit({ merchantId, accountId }));
    return { merchantId, accountId, mode: input.mode, apiKey, secretKey };
  } catch (error) {
    if (error instanceof AccountExists) {
      throw new AccountRejected('exists', `The merchant with this e-mail already has a ${input.mode} account.`);
    }
    throw asRejected(error);
  }
}

/**
 * A merchant that exists keeps its document, and gets the KYC status that was given: a status of
 * another document would say of the stored one that it was verified.
 */
async function rejectOtherDocument(deps: AccountDeps, { email, document }: OpenAccountInput): Promise<void> {
  const merchant = await findMerchantByEmail(deps.db, email);
  if (merchant === null || openMerchantDocument(deps, merchant.id, merchant).document === document) return;
  throw new AccountRejected(
    'document',
    'The merchant with this e-mail has another CPF or CNPJ: give that one, or change it with "account set" before.',
  );
}

/** Credentials that another account uses, as the rejection that an operator reads; or the error. */
export const asRejected = (error: unknown): unknown =>
  error instanceof CredentialsTaken
    ? new AccountRejected('credentials', 'Another account uses these credentials: its money would count twice.')
    : error;

/** The account's terms for the audit, without anything personal or secret. */
const auditedTerms = ({ mode, kycStatus, canCreateAccounts, fees, limits, credentials = [] }: OpenAccountInput) => ({
  mode,
  kyc: kycStatus,
  can_create_accounts: canCreateAccounts,
  ...Object.fromEntries(fees.map(({ type, fee }) => [`fee ${type}`, Object.values(fee).join(' ')])),
  ...Object.fromEntries(limits.map(({ name, centavos }) => [`limit ${name}`, String(centavos)])),
  ...Object.fromEntries(credentials.map(({ kind }) => [`credential ${kind}`, 'set'])),
});

/**
 * Makes the rows of a new account and its merchant, and the secrets that are shown this once,
 * without writing them. Throws AccountRejected for the webhook URL.
 */
export function prepareAccount(
  deps: AccountDeps,
  input: OpenAccountInput,
): { row: NewAccount; apiKey: string; secretKey: string } {
  const id = uuidv7(deps.clock());
  const merchant = {
    id,
    name: input.name,
    email: input.email,
    document: sealMerchantDocument(deps, id, input.document),
    documentType: input.documentType,
    phone: input.phone ? deps.secretBox.seal(input.phone, sealContext('merchants.phone', { id })) : null,
    kycStatus: input.kycStatus,
    canCreateAccounts: input.canCreateAccounts,
  };
  return prepareAccountOf(deps, merchant, input);
}

/**
 * The input for an account without terms agreed on: its members make its keys and endpoints
 * themselves.
 */
export const PLAIN_ACCOUNT = {
  currency: null,
  fees: [],
  limits: [],
  webhookUrl: null,
  firstKey: false,
} satisfies Partial<OpenAccountInput>;

/** As prepareAccount(), with the merchant's row given. */
export function prepareAccountOf(
  deps: AccountDeps,
  merchant: NewAccount['merchant'],
  input: Omit<OpenAccountInput, 'name' | 'email' | 'document' | 'documentType' | 'kycStatus' | 'canCreateAccounts'>,
): { row: NewAccount; apiKey: string; secretKey: string } {
  const { mode, webhookUrl } = input;
  const parsed = webhookUrl === null ? null : parseCallbackUrl(webhookUrl, urlPolicy(deps, mode, webhookUrl));
  if (parsed && !parsed.ok) throw new AccountRejected('webhook_url', `The webhook URL is rejected (${parsed.reason}).`);

  const now = deps.clock();
  const accountId = input.accountId ?? uuidv7(now);
  const apiKey = generateApiKey(mode);
  const secretKey = generateWebhookSecret();
  const row: NewAccount = {
    merchant,
    onlyNewMerchant: input.onlyNewMerchant ?? false,
    account: {
      id: accountId,
      mode,
      currency: input.currency,
      inactiveRails: input.inactiveRails ?? [],
      ...(input.spreadBps === undefined ? {} : { spreadBps: input.spreadBps }),
      ...(input.toleranceBps === undefined ? {} : { toleranceBps: input.toleranceBps }),
      webhookSecret: sealWebhookSecret(deps, accountId, secretKey),
    },
    key:
      input.firstKey === false
        ? null
        : { id: uuidv7(now), name: 'Primeira chave', hash: hashApiKey(apiKey), ...displayPartsOf(apiKey) },
    fees: input.fees,
    limits: input.limits,
    credentials: (input.credentials ?? []).map(({ kind, value }) => ({
      kind,
      value: value && sealNewCredentials(deps, readOwnCredentials(kind, value), now),
    })),
    endpoints: webhookUrl === null ? [] : TOPICS.map((topic) => ({ id: uuidv7(now), topic, url: webhookUrl })),
    now,
  };
  return { row, apiKey, secretKey };
}
