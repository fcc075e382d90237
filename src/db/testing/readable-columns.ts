/**
 * The columns that may hold texts or bytes and are not sealed (../encryption/sealed-columns.ts),
 * each with the reason: a new one is decided upon here or there. docs/adr/0004-what-is-sealed.md
 * says more.
 */

/**
 * Kept as hashes: what they are made of has too many random bits to be guessed, or is of no use to
 * an attacker who guesses it.
 */
export const HASHED_COLUMNS: readonly string[] = [
  'api_keys.hash',
  'idempotency_keys.key',
  'invitations.token_hash',
  'login_tokens.identifier',
  'logins.password',
  'master_keys.check_value',
  'sessions.token',
  'sign_ups.token_hash',
];

/** Columns by why they are readable. */
export const READABLE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'Hashes, signatures and a public key of the ledger proof; what a chain begins with hides amounts that are beside it.':
    [
      'ledger_chains.start',
      'ledger_heads.hash',
      'ledger_heads.public_key',
      'ledger_heads.root',
      'ledger_heads.signature',
      'ledger_seals.link',
      'ledger_seals.links',
    ],
  'Who has a login: signing in, mails and split receivers find people by it.': [
    'members.name',
    'members.email',
    'members.image',
    'merchants.name',
    'merchants.email',
  ],
  'Our own words: kinds, states, codes, settings and the names of columns of a later table.': [
    'account_limits.name',
    'account_totals.kind',
    'accounts.currency',
    'attempts.error',
    'audit_records.action',
    'backups.file',
    'credentials.kind',
    'default_limits.name',
    'events.type',
    'inbound_callbacks.outcome',
    'inbound_callbacks.rail',
    'kyc_documents.kind',
    'kyc_documents.media_type',
    'kyc_submissions.kind',
    'ledger_transfers.kind',
    'master_keys.version',
    'members.language',
    'members.notifications',
    'members.theme',
    'provider_calls.operation',
    'provider_calls.outcome',
    'provider_calls.rail',
    'reviews.reason',
    'settings.name',
    'tasks.kind',
    'transactions.currency',
    'transactions.failure_code',
    'transactions.payout_step',
    'transactions.pix_key_type',
    'transactions.rail',
    'transactions.sub_status',
  ],
  'Ids that mean nothing without the provider or the row they name.': [
    'ledger_transfers.reference',
    'login_tokens.id',
    'logins.id',
    'passkeys.id',
    'refunds.return_id',
    'reviews.end_to_end_id',
    'sessions.id',
    'transactions.end_to_end_id',
    'transactions.provider_id',
    'two_factors.id',
  ],
  'Public: on the chain, or quoted by markets; looked up when money arrives.': [
    'transactions.memo',
    'transactions.quote_sources',
    'transactions.tx_hashes',
    'transactions.wallet',
  ],
  'What every payer who has the link is shown.': ['transactions.br_code', 'transactions.provider_url'],
  'Where webhooks go: the database itself copies it from endpoint to delivery. No secret belongs into a URL.': [
    'deliveries.url',
    'endpoints.url',
    'transactions.callback_url',
  ],
  'Ids, amounts, states and times of a transaction, which stand in its row too; no name.': ['events.body'],
  'What the operating system says of a file, or PostgreSQL of a connection.': ['backups.error'],
  'Masked before they are kept, and for days only.': [
    'provider_calls.method',
    'provider_calls.target',
    'request_records.method',
    'request_records.path',
  ],
  'What members gave a name to, or set, and see again; never a secret.': [
    'api_keys.allowed_ips',
    'api_keys.last_four',
    'api_keys.name',
    'api_keys.permissions',
    'api_keys.prefix',
    'passkeys.name',
  ],
  'Public halves of WebAuthn credentials.': [
    'passkeys.aaguid',
    'passkeys.credential_id',
    'passkeys.device_type',
    'passkeys.public_key',
    'passkeys.transports',
  ],
  'Where members came from, for their own eyes and the audit’s; audit rows can’t be changed, and hold no secret.': [
    'audit_records.details',
    'audit_records.ip_address',
    'audit_records.user_agent',
    'sessions.ip_address',
    'sessions.user_agent',
  ],
  'The operator’s words to a merchant.': ['accounts.suspension_reason', 'kyc_submissions.reason'],
  'better-auth’s columns for providers that are not used here: always NULL, or the member’s own id.': [
    'logins.access_token',
    'logins.account_id',
    'logins.id_token',
    'logins.provider_id',
    'logins.refresh_token',
    'logins.scope',
  ],
  'Counters by key, address or keyed fingerprint of a login; gone within an hour.': ['rate_limits.key'],
};
