import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { readMetadata } from '#domain/transactions/metadata.ts';
import { searchTokens } from '#domain/transactions/search-tokens.ts';
import { batchRowsKey, batchRowsKeyAsWritten } from '#domain/withdrawals/batch-rows.ts';

/** A column that holds nothing but what the secret box sealed (or NULL). */
export type SealedColumn = {
  /** The primary key's columns, by which a row is found again. */
  key: readonly string[];
  /**
   * `text`: `v1.<base64>`; `bytes`: `v1.` and the sealed bytes as they are; `equal`: bytes that are
   * found again by their text.
   */
  kind: 'text' | 'bytes' | 'equal';
  /** What a value is bound to, with columns of its row in braces: `webhook-secret:{id}`. */
  context: string;
};

/**
 * Every sealed column of the database, by `table.column`. What seals, opens, or seals again under a
 * newer master key asks here: a column that is missing can't be sealed.
 */
export const SEALED_COLUMNS = {
  'accounts.webhook_secret': { key: ['id'], kind: 'text', context: 'webhook-secret:{id}' },
  'accounts.previous_webhook_secret': { key: ['id'], kind: 'text', context: 'webhook-secret:{id}' },
  'endpoints.secret': { key: ['id'], kind: 'text', context: 'endpoint-secret:{id}' },
  'endpoints.previous_secret': { key: ['id'], kind: 'text', context: 'endpoint-secret:{id}' },
  'credentials.sealed': { key: ['id'], kind: 'text', context: 'credential:{id}' },
  'idempotency_keys.body': {
    key: ['account_id', 'key'],
    kind: 'text',
    context: 'idempotency-answer:{account_id}:{key}',
  },
  // The request: the same one again has the same value.
  'idempotency_keys.fingerprint': {
    key: ['account_id', 'key'],
    kind: 'equal',
    context: 'idempotency-request:{account_id}:{key}',
  },
  'events.body': { key: ['id'], kind: 'text', context: 'event-body:{id}' },
  // Bound to the delivery, because the database counts the attempts.
  'attempts.response_body': { key: ['delivery_id', 'number'], kind: 'text', context: 'attempt-response:{delivery_id}' },
  // Written in batches, under ids that the database gives: bound to the request, and to the
  // transaction.
  'request_records.request_body': { key: ['id'], kind: 'text', context: 'request-body:{request_id}' },
  'request_records.response_body': { key: ['id'], kind: 'text', context: 'response-body:{request_id}' },
  'provider_calls.request_body': { key: ['id'], kind: 'text', context: 'provider-request:{transaction_id}' },
  'provider_calls.response_body': { key: ['id'], kind: 'text', context: 'provider-response:{transaction_id}' },
  'inbound_callbacks.body': { key: ['id'], kind: 'text', context: 'inbound-callback:{id}' },
  'received_webhooks.sealed': { key: ['id'], kind: 'text', context: 'received-webhook:{id}' },
  'kyc_documents.file_name': { key: ['id'], kind: 'text', context: 'kyc-file-name:{merchant_id}' },
  'merchants.document': { key: ['id'], kind: 'text', context: 'merchant-document:{id}' },
  'merchants.phone': { key: ['id'], kind: 'text', context: 'merchant-phone:{id}' },
  'kyc_submissions.sealed': { key: ['id'], kind: 'text', context: 'kyc-submission:{id}' },
  // Bound to the merchant, so that a copy of the file for a later submission opens.
  'kyc_documents.sealed': { key: ['id'], kind: 'bytes', context: 'kyc-document:{merchant_id}' },
  // Bound to its identifier, which is a hash: better-auth chooses the id when it writes the row.
  'login_tokens.value': { key: ['id'], kind: 'text', context: 'login-token:{identifier}' },
  'mails.sealed': { key: ['id'], kind: 'text', context: 'mail:{id}' },
  'notices.params': { key: ['id'], kind: 'text', context: 'notice:{id}' },
  'sign_ups.sealed': { key: ['id'], kind: 'text', context: 'sign-up:{id}' },
  'invitations.sealed': { key: ['id'], kind: 'text', context: 'invitation:{id}' },
  'settings.sealed': { key: ['name'], kind: 'text', context: 'setting:{name}' },
  'operators.totp_secret': { key: ['id'], kind: 'text', context: 'operator-totp:{id}' },
  'unmatched_payments.payer_note': { key: ['id'], kind: 'text', context: 'payer-note:{id}' },
  'disputes.answer_text': { key: ['id'], kind: 'text', context: 'dispute-answer:{id}' },
  'disputes.payer_document': { key: ['id'], kind: 'text', context: 'dispute-payer:{id}' },
  'dispute_files.file_name': { key: ['id'], kind: 'text', context: 'dispute-file-name:{id}' },
  'dispute_files.sealed': { key: ['id'], kind: 'bytes', context: 'dispute-file:{id}' },
  'withdrawal_approvals.reason': { key: ['transaction_id'], kind: 'text', context: 'decline-reason:{transaction_id}' },
  'payees.label': { key: ['id'], kind: 'text', context: 'payee-label:{id}' },
  'payees.pix_key': { key: ['id'], kind: 'text', context: 'payee-pix-key:{id}' },
  'payout_batches.sealed': { key: ['id'], kind: 'text', context: 'payout-batch:{id}' },
  'refunds.description': { key: ['id'], kind: 'text', context: 'refund-description:{id}' },
  'refunds.reference': { key: ['id'], kind: 'text', context: 'refund-reference:{id}' },
  'refunds.metadata': { key: ['id'], kind: 'text', context: 'refund-metadata:{id}' },
  'transactions.reference': { key: ['id'], kind: 'text', context: 'transaction-reference:{id}' },
  'transactions.metadata': { key: ['id'], kind: 'text', context: 'transaction-metadata:{id}' },
  'transactions.description': { key: ['id'], kind: 'text', context: 'transaction-description:{id}' },
  'transactions.customer_name': { key: ['id'], kind: 'text', context: 'customer-name:{id}' },
  'transactions.customer_email': { key: ['id'], kind: 'text', context: 'customer-email:{id}' },
  'transactions.customer_phone': { key: ['id'], kind: 'text', context: 'customer-phone:{id}' },
  'transactions.customer_document': { key: ['id'], kind: 'text', context: 'customer-document:{id}' },
  'transactions.pix_key': { key: ['id'], kind: 'text', context: 'pix-key:{id}' },
  'transactions.receiver_name': { key: ['id'], kind: 'text', context: 'receiver-name:{id}' },
  'transactions.receiver_document': { key: ['id'], kind: 'text', context: 'receiver-document:{id}' },
} as const satisfies Record<string, SealedColumn>;

export type SealedColumnName = keyof typeof SEALED_COLUMNS;

/**
 * A column of keyed fingerprints of sealed ones, so that they can be searched without being
 * readable.
 */
export type BlindIndex = {
  key: readonly string[];
  /** Of the column. */
  type: 'bytea' | 'bigint[]';
  /** The sealed columns that it is made of, of the same table. */
  sources: readonly SealedColumnName[];
  /** Other columns of the row that `compute` needs. */
  needs: readonly string[];
  /**
   * `sources`: opened, by `table.column`; `row`: the columns of `needs`. Returns null when there is
   * nothing to search for.
   */
  compute(
    box: SecretBox,
    sources: Readonly<Record<string, string | null>>,
    row: Readonly<Record<string, string>>,
  ): Buffer | bigint[] | null;
};

/** The purpose of the fingerprints of PIX keys that were paid. */
export const PIX_KEY_INDEX = 'pix-key';

/** The purpose of the fingerprints of payers' documents. */
export const CUSTOMER_DOCUMENT_INDEX = 'customer-document';

/**
 * What is fingerprinted: the account too, so that equal keys of two accounts can't be recognised.
 */
export const pixKeyOfAccount = (accountId: string, key: string): string => `${accountId}:${key}`;

/** The purpose of the fingerprints of merchants' references. */
export const REFERENCE_INDEX = 'reference';

/** What is fingerprinted of a reference: the account too, as of a PIX key. */
export const referenceOfAccount = (accountId: string, reference: string): string => `${accountId}:${reference}`;

/** The purpose of the fingerprints of batches. */
export const BATCH_ROWS_INDEX = 'payout-batch';

/** What is fingerprinted of a batch: the account, and its rows as they are stored. */
export const batchRowsOfAccount = (accountId: string, rows: string): string => `${accountId}:${batchRowsKey(rows)}`;

/** What was fingerprinted of batches before accents were brought into one form. */
export const batchRowsAsWritten = (accountId: string, rows: string): string =>
  `${accountId}:${batchRowsKeyAsWritten(rows)}`;

const referenceIndex = (source: 'refunds.reference' | 'transactions.reference'): BlindIndex => ({
  key: ['id'],
  type: 'bytea',
  sources: [source],
  needs: ['account_id'],
  compute: (box, { [source]: reference }, { account_id = '' }) =>
    reference ? box.fingerprint(referenceOfAccount(account_id, reference), REFERENCE_INDEX) : null,
});

/** Every blind index, by `table.column`: made again when the key that fingerprints changes. */
export const BLIND_INDEXES: Readonly<Record<string, BlindIndex>> = {
  // Has the purpose of the charges' index, so that one fingerprint finds a payer in both.
  'disputes.payer_document_index': {
    key: ['id'],
    type: 'bytea',
    sources: ['disputes.payer_document'],
    needs: [],
    compute: (box, { 'disputes.payer_document': document }) =>
      document ? box.fingerprint(document, CUSTOMER_DOCUMENT_INDEX) : null,
  },
  // Has the purpose of the withdrawals' index, which is compared with it.
  'payees.pix_key_index': {
    key: ['id'],
    type: 'bytea',
    sources: ['payees.pix_key'],
    needs: ['account_id'],
    compute: (box, { 'payees.pix_key': key }, { account_id = '' }) =>
      key ? box.fingerprint(pixKeyOfAccount(account_id, key), PIX_KEY_INDEX) : null,
  },
  'payout_batches.rows_index': {
    key: ['id'],
    type: 'bytea',
    sources: ['payout_batches.sealed'],
    needs: ['account_id'],
    compute: (box, { 'payout_batches.sealed': rows }, { account_id = '' }) =>
      rows ? box.fingerprint(batchRowsOfAccount(account_id, rows), BATCH_ROWS_INDEX) : null,
  },
  'refunds.reference_index': referenceIndex('refunds.reference'),
  'transactions.reference_index': referenceIndex('transactions.reference'),
  'transactions.customer_document_index': {
    key: ['id'],
    type: 'bytea',
    sources: ['transactions.customer_document'],
    needs: [],
    compute: (box, { 'transactions.customer_document': document }) =>
      document ? box.fingerprint(document, CUSTOMER_DOCUMENT_INDEX) : null,
  },
  'transactions.pix_key_index': {
    key: ['id'],
    type: 'bytea',
    sources: ['transactions.pix_key'],
    needs: ['account_id'],
    compute: (box, { 'transactions.pix_key': key }, { account_id = '' }) =>
      key ? box.fingerprint(pixKeyOfAccount(account_id, key), PIX_KEY_INDEX) : null,
  },
  'transactions.search_tokens': {
    key: ['id'],
    type: 'bigint[]',
    sources: [
      'transactions.description',
      'transactions.customer_name',
      'transactions.customer_email',
      'transactions.customer_phone',
      'transactions.reference',
      'transactions.metadata',
    ],
    needs: ['account_id'],
    compute: (box, of, row) =>
      searchTokens(box, row.account_id ?? '', {
        words: [
          of['transactions.description'] ?? null,
          of['transactions.customer_name'] ?? null,
          of['transactions.customer_email'] ?? null,
          of['transactions.reference'] ?? null,
        ],
        phone: of['transactions.customer_phone'] ?? null,
        metadata: readMetadata(of['transactions.metadata'] ?? null),
      }),
  },
};

/**
 * What a value of a column is bound to. `row` has the columns that the context names; throws when
 * one is missing.
 */
export function sealContext(name: SealedColumnName, row: Readonly<Record<string, string>>): string {
  return SEALED_COLUMNS[name].context.replaceAll(/\{(\w+)\}/g, (_, column: string) => {
    const value = row[column];
    if (value === undefined) throw new Error(`The context of ${name} needs the row's ${column}.`);
    return value;
  });
}

/** Columns that better-auth encrypts by itself, under the secret that it is given. */
export const BETTER_AUTH_COLUMNS = {
  'two_factors.secret': { key: ['id'] },
  'two_factors.backup_codes': { key: ['id'] },
} as const;
