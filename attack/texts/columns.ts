/**
 * Where every text of the database comes from. The test beside it reads the columns from the
 * database itself: one that is not here fails it, and each entrance that is named is tried with
 * what PostgreSQL does not take.
 */
export type Source =
  /** Fixed words, ids, hashes, or what was checked against a pattern. */
  | { ours: string }
  /**
   * A business field: text that can't be stored is rejected, here by these texts of a procedure's
   * input.
   */
  | { rejectedBy: readonly `${string} ${string}`[] }
  /** What better-auth's endpoints write: our handler rejects bodies that can't be stored. */
  | { rejectedByAuth: string }
  /**
   * A log, or what another system says: kept, with U+FFFD for what can't be stored. Its entrance is
   * in the test, by this name.
   */
  | { keptBy: Entrance };

export type Entrance = 'request path' | 'provider call' | 'receiver’s answer' | 'callback' | 'audit' | 'file name';

const ours = (why: string): Source => ({ ours: why });
const WORD = ours('one of our own words');
const ID = ours('an id of ours');
const HASH = ours('a hash');
const SEALED_OURS = ours('sealed; what is in it was checked where it came in');
const PATTERN = ours('checked against a pattern without such characters');
const OPERATOR = ours('an argument of a command, which ends at a NUL and is well-formed');
const LIBRARY = ours('never written: better-auth’s model has it');
const ADDRESS = ours('an address of the internet, of the connection');
const HEADER = ours('a header: Node rejects a NUL in one, and reads bytes as Latin-1');
const CUSTOMER = (name: string): Source => ({ rejectedBy: [`charges.create ${name}`] });

export const TEXT_COLUMNS: Readonly<Record<string, Source>> = {
  'account_limits.name': WORD,
  'account_totals.kind': WORD,
  'accounts.currency': WORD,
  'accounts.previous_webhook_secret': SEALED_OURS,
  'accounts.suspension_reason': OPERATOR,
  'accounts.webhook_secret': SEALED_OURS,
  'api_keys.allowed_ips': { rejectedBy: ['keys.create allowed_ips.0'] },
  'api_keys.last_four': PATTERN,
  'api_keys.name': { rejectedBy: ['keys.create name'] },
  'api_keys.permissions': { rejectedBy: ['keys.create permissions.0'] },
  'api_keys.prefix': PATTERN,
  'attempts.response_body': { keptBy: 'receiver’s answer' },
  'attempts.error': WORD,
  'audit_records.action': WORD,
  'audit_records.details': { keptBy: 'audit' },
  'audit_records.ip_address': ADDRESS,
  'audit_records.user_agent': { keptBy: 'audit' },
  'backups.error': ours('the words of the operating system or of PostgreSQL'),
  'backups.file': ours('a name of ours'),
  'credentials.kind': WORD,
  'credentials.sealed': SEALED_OURS,
  'default_limits.name': WORD,
  'deliveries.url': { rejectedBy: ['charges.create callbackUrl', 'webhooks.setEndpoint url'] },
  'endpoints.url': { rejectedBy: ['webhooks.setEndpoint url'] },
  'events.body': ours('made of columns that are here'),
  'events.type': WORD,
  'idempotency_keys.body': SEALED_OURS,
  'idempotency_keys.key': HASH,
  'inbound_callbacks.body': { keptBy: 'callback' },
  'inbound_callbacks.outcome': WORD,
  'inbound_callbacks.rail': WORD,
  'invitations.sealed': { rejectedBy: ['people.invite email'] },
  'kyc_documents.file_name': { keptBy: 'file name' },
  'kyc_documents.kind': WORD,
  'kyc_documents.media_type': WORD,
  'kyc_submissions.kind': WORD,
  'kyc_submissions.reason': OPERATOR,
  'kyc_submissions.sealed': {
    rejectedBy: ['kyc.submit name', 'kyc.submit occupation', 'kyc.submit street', 'kyc.submit complement'],
  },
  'ledger_transfers.kind': WORD,
  'ledger_transfers.reference': ID,
  'login_tokens.id': ID,
  'login_tokens.identifier': HASH,
  'login_tokens.value': SEALED_OURS,
  'logins.access_token': LIBRARY,
  'logins.account_id': ID,
  'logins.id': ID,
  'logins.id_token': LIBRARY,
  'logins.password': HASH,
  'logins.provider_id': WORD,
  'logins.refresh_token': LIBRARY,
  'logins.scope': LIBRARY,
  'mails.sealed': ours('sealed; our own texts with names that were checked'),
  'master_keys.version': PATTERN,
  'members.email': { rejectedBy: ['session.signUp email', 'people.invite email'] },
  'members.image': LIBRARY,
  'members.language': { rejectedBy: ['preferences.setLook language'] },
  'members.name': { rejectedBy: ['session.signUp name'] },
  'members.notifications': { rejectedBy: ['preferences.setNotification notification'] },
  'members.theme': { rejectedBy: ['preferences.setLook theme'] },
  'merchants.document': { rejectedBy: ['account.create document', 'session.signUp document'] },
  'merchants.email': { rejectedBy: ['account.create email', 'session.signUp email'] },
  'merchants.name': { rejectedBy: ['account.create name', 'session.signUp merchant_name'] },
  'merchants.phone': { rejectedBy: ['account.create phone'] },
  'passkeys.aaguid': { rejectedByAuth: '/passkey/verify-registration' },
  'passkeys.credential_id': { rejectedByAuth: '/passkey/verify-registration' },
  'passkeys.device_type': WORD,
  'passkeys.id': ID,
  'passkeys.name': { rejectedByAuth: '/passkey/verify-registration' },
  'passkeys.public_key': { rejectedByAuth: '/passkey/verify-registration' },
  'passkeys.transports': { rejectedByAuth: '/passkey/verify-registration' },
  'provider_calls.method': WORD,
  'provider_calls.operation': WORD,
  'provider_calls.outcome': WORD,
  'provider_calls.rail': WORD,
  'provider_calls.request_body': { keptBy: 'provider call' },
  'provider_calls.response_body': { keptBy: 'provider call' },
  'provider_calls.target': { keptBy: 'provider call' },
  'rate_limits.key': ours('addresses, ids and hashes'),
  'received_webhooks.sealed': ours('sealed; what our own sender sent'),
  'refunds.description': { rejectedBy: ['transactions.refund description'] },
  'refunds.return_id': PATTERN,
  'request_records.method': ours('a method that Node’s parser knows'),
  'request_records.path': { keptBy: 'request path' },
  'request_records.request_body': { keptBy: 'request path' },
  'request_records.response_body': { keptBy: 'request path' },
  'reviews.end_to_end_id': PATTERN,
  'reviews.reason': WORD,
  'sessions.id': ID,
  'sessions.ip_address': ADDRESS,
  'sessions.token': HASH,
  'sessions.user_agent': HEADER,
  'settings.name': WORD,
  'settings.sealed': SEALED_OURS,
  'sign_ups.sealed': { rejectedBy: ['session.signUp merchant_name', 'session.signUp name'] },
  'tasks.kind': WORD,
  'transactions.br_code': ours('the PSP’s: one that can’t be stored is taken for none (src/rails/pix/wire.ts)'),
  'transactions.callback_url': { rejectedBy: ['charges.create callbackUrl'] },
  'transactions.currency': WORD,
  'transactions.customer_document': CUSTOMER('customerDocument'),
  'transactions.customer_email': CUSTOMER('customerEmail'),
  'transactions.customer_name': CUSTOMER('customerName'),
  'transactions.customer_phone': CUSTOMER('customerPhone'),
  'transactions.description': { rejectedBy: ['charges.create description', 'withdrawals.pix description'] },
  'transactions.end_to_end_id': PATTERN,
  'transactions.failure_code': PATTERN,
  // In as the processor says it (src/rails/crypto/plisio-wire.ts), out as the merchant does.
  'transactions.memo': { rejectedBy: ['withdrawals.crypto memo'] },
  'transactions.payout_step': WORD,
  'transactions.pix_key': { rejectedBy: ['withdrawals.pix pixKey'] },
  'transactions.pix_key_type': { rejectedBy: ['withdrawals.pix pixKeyType'] },
  'transactions.provider_id': PATTERN,
  'transactions.provider_url': ours('the processor’s: an answer that can’t be stored is not understood'),
  'transactions.quote_sources': ours('names of markets, and numbers of ours'),
  'transactions.rail': WORD,
  'transactions.receiver_document': ours('the PSP’s: checked against a pattern (src/rails/pix/receiver.ts)'),
  'transactions.receiver_name': ours('the PSP’s: made storable, on one line (src/rails/pix/receiver.ts)'),
  'transactions.sub_status': WORD,
  'transactions.tx_hashes': ours('the processor’s: a list with what can’t be stored is taken for none'),
  'transactions.wallet': { rejectedBy: ['withdrawals.crypto wallet'] },
  'two_factors.backup_codes': SEALED_OURS,
  'two_factors.id': ID,
  'two_factors.secret': SEALED_OURS,
  'disputes.answer_rejection': ours('ours, or the PSP’s: what can’t be stored of it was replaced'),
  'disputes.answer_text': SEALED_OURS,
  'disputes.answered_by': OPERATOR,
  'disputes.payer_document': ours('sealed; the PSP’s: checked against a pattern (src/rails/pix/efi-disputes.ts)'),
  'disputes.provider_id': PATTERN,
  'disputes.reason': WORD,
  'foreign_payouts.decided_by': OPERATOR,
  'foreign_payouts.end_to_end_id': PATTERN,
  'foreign_payouts.rail': WORD,
  'foreign_payouts.reason': OPERATOR,
  'foreign_refunds.end_to_end_id': PATTERN,
  'foreign_refunds.kind': WORD,
  'foreign_refunds.rail': WORD,
  'foreign_refunds.refund_id': PATTERN,
  'foreign_refunds.return_id': PATTERN,
  'payment_returns.end_to_end_id': PATTERN,
  'payment_returns.rail': WORD,
  'payment_returns.return_id': PATTERN,
  'reviews.resolution': WORD,
  'reviews.resolution_reason': OPERATOR,
  'reviews.resolved_by': OPERATOR,
  'sweeps.rail': WORD,
  'unmatched_payments.contested_as': PATTERN,
  'unmatched_payments.decided_by': OPERATOR,
  'unmatched_payments.end_to_end_id': PATTERN,
  'unmatched_payments.payer_note': ours('sealed; what can’t be stored of a PSP’s words was replaced'),
  'unmatched_payments.rail': WORD,
  'unmatched_payments.reason': OPERATOR,
  'unmatched_payments.txid': PATTERN,
};
