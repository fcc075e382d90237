import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { ENDPOINT_ID } from '../document-ids.ts';

/** When the errors are provoked. */
export const BEGIN = Date.parse('2026-11-20T12:30:00.000Z');
/** By then no quote of before is used any more. */
const LATER = BEGIN + 10 * 60_000;
/** 21:00 in São Paulo. */
const NIGHT = Date.parse('2026-11-21T00:00:00.000Z');

/** Accounts of the test, by what they lack or may not do. */
type KeyName =
  | 'rich'
  | 'limited'
  | 'onlyPayees'
  | 'other'
  | 'paused'
  | 'payeesWait'
  | 'switchedOff'
  | 'unconnected'
  | 'unverified'
  | 'withoutCurrency';

type Row = {
  code: string;
  operationId: string;
  key?: KeyName;
  change?: Record<string, unknown>;
  /** Which charge is meant where the example names one. */
  charge?: 'paid' | 'pending' | 'invoice' | 'disputed' | 'withdrawal';
  /** The held event is meant where the example names one. */
  event?: 'held';
  /** Which case is meant where the example names one. */
  dispute?: 'open' | 'answered' | 'closed' | 'late';
  switched?: [name: string, value: string];
  at?: number;
};

export const PIX_IN = 'createPixCharge';
export const PIX_OUT = 'createPixWithdrawal';
export const CRYPTO_IN = 'createCryptoDeposit';
export const CRYPTO_OUT = 'createCryptoWithdrawal';

/** The errors that depend on a transaction, an event, a case, an account or a provider. */
export const ROWS: readonly Row[] = [
  ...['getBalance', PIX_OUT, CRYPTO_OUT].map((operationId): Row => {
    return { code: 'kyc_not_approved', operationId, key: 'unverified' };
  }),
  ...[
    'getTransactionStatus',
    'getTransaction',
    'refundTransaction',
    'cancelTransaction',
    'cancelPixWithdrawal',
  ].flatMap((operationId): Row[] => [
    { code: 'transaction_not_found', operationId },
    { code: 'transaction_not_found', operationId, key: 'other', charge: 'paid' },
  ]),
  ...['getEvent', 'resendEvent'].flatMap((operationId): Row[] => [
    { code: 'event_not_found', operationId },
    { code: 'event_not_found', operationId, key: 'other', event: 'held' },
    { code: 'event_not_found', operationId, change: { eventId: 'evt_x' } },
  ]),
  ...[
    'getWebhookEndpoint',
    'updateWebhookEndpoint',
    'removeWebhookEndpoint',
    'rotateWebhookEndpointSecret',
    'testWebhookEndpoint',
  ].flatMap((operationId): Row[] => [
    { code: 'endpoint_not_found', operationId },
    { code: 'endpoint_not_found', operationId, change: { endpointId: 'x' } },
  ]),
  { code: 'endpoint_not_found', operationId: 'replayEvents', change: { endpoint_id: ENDPOINT_ID } },
  { code: 'endpoint_not_found', operationId: 'resendEvent', event: 'held', change: { endpoint_id: ENDPOINT_ID } },
  { code: 'webhook_disabled', operationId: 'resendEvent', event: 'held' },
  ...['getTestClock', 'advanceTestClock'].map((operationId): Row => {
    return { code: 'live_account_clock', operationId, key: 'unconnected' };
  }),
  { code: 'webhook_disabled', operationId: 'sendHeldEvents', change: { topic: 'deposit' } },
  ...[PIX_IN, PIX_OUT, CRYPTO_IN, CRYPTO_OUT].flatMap((operationId): Row[] => [
    { code: 'below_minimum', operationId, change: { amount: 0.99 } },
    { code: 'above_maximum', operationId, change: { amount: 5000.01 } },
  ]),
  ...[PIX_IN, PIX_OUT, CRYPTO_OUT].map((operationId): Row => {
    return { code: 'rail_not_configured', operationId, key: 'switchedOff' };
  }),
  ...[PIX_IN, PIX_OUT, CRYPTO_IN, CRYPTO_OUT].map((operationId): Row => {
    return { code: 'own_credentials_required', operationId, key: 'unconnected' };
  }),
  ...[PIX_OUT, CRYPTO_OUT].flatMap((operationId): Row[] => [
    { code: 'insufficient_funds', operationId, change: { amount: 4000 } },
    { code: 'daily_limit_reached', operationId, key: 'limited', change: { amount: 20.01 } },
  ]),
  ...[PIX_OUT, CRYPTO_OUT].map((operationId): Row => {
    return { code: 'withdrawals_paused', operationId, key: 'paused' };
  }),
  ...[PIX_OUT, CRYPTO_OUT].flatMap((operationId): Row[] => [
    { code: 'not_a_payee', operationId, key: 'onlyPayees' },
    { code: 'payee_waits', operationId, key: 'payeesWait' },
  ]),
  { code: 'night_limit_reached', operationId: PIX_OUT, key: 'limited', change: { amount: 10.01 }, at: NIGHT },
  { code: 'charge_not_created', operationId: PIX_IN, switched: ['pix.charge', 'refused'] },
  ...[CRYPTO_IN, 'getQuote'].map((operationId): Row => {
    return { code: 'currency_not_configured', operationId, key: 'withoutCurrency', change: { currency: undefined } };
  }),
  { code: 'rail_not_configured', operationId: CRYPTO_OUT, key: 'withoutCurrency', change: { currency: undefined } },
  ...[CRYPTO_IN, CRYPTO_OUT, 'getQuote'].flatMap((operationId): Row[] => [
    { code: 'unsupported_currency', operationId, change: { currency: 'XYZ' } },
    { code: 'quote_unavailable', operationId, switched: ['quotes', 'down'], at: LATER },
  ]),
  { code: 'below_network_minimum', operationId: CRYPTO_IN, change: { amount: 10 } },
  { code: 'invoice_not_created', operationId: CRYPTO_IN, switched: ['crypto.invoice', 'error'] },
  { code: 'invalid_wallet', operationId: CRYPTO_OUT, change: { currency: 'USDT_TRX' } },
  { code: 'invalid_memo', operationId: CRYPTO_OUT, change: { memo: '1234' } },
  { code: 'permission_denied', operationId: 'createAccount' },
  { code: 'not_refundable', operationId: 'refundTransaction', charge: 'pending' },
  { code: 'charge_disputed', operationId: 'refundTransaction', charge: 'disputed', change: { amount: 1 } },
  { code: 'refund_too_large', operationId: 'refundTransaction', charge: 'paid', change: { amount: 1000.01 } },
  ...['getDispute', 'answerDispute'].flatMap((operationId): Row[] => [
    { code: 'dispute_not_found', operationId },
    { code: 'dispute_not_found', operationId, key: 'other', dispute: 'open' },
    { code: 'dispute_not_found', operationId, change: { disputeId: 'x' } },
  ]),
  { code: 'dispute_answered', operationId: 'answerDispute', dispute: 'answered' },
  { code: 'dispute_closed', operationId: 'answerDispute', dispute: 'closed' },
  { code: 'dispute_too_late', operationId: 'answerDispute', dispute: 'late' },
  { code: 'payout_started', operationId: 'cancelPixWithdrawal', charge: 'withdrawal' },
  {
    ...{ code: 'key_owner_unknown', operationId: PIX_OUT, switched: ['pix.query', 'error'] },
    change: { scheduledFor: dateInSaoPaulo(new Date(BEGIN + 2 * 24 * 3_600_000)) },
  },
  { code: 'not_cancellable', operationId: 'cancelTransaction', charge: 'paid' },
  { code: 'not_refundable', operationId: 'refundTransaction', charge: 'invoice' },
  { code: 'not_cancellable', operationId: 'cancelTransaction', charge: 'invoice' },
  ...['refundTransaction', 'cancelTransaction'].map((operationId): Row => {
    return { code: 'transaction_not_found', operationId, key: 'other', charge: 'invoice' };
  }),
  { code: 'refund_too_large', operationId: 'refundTransaction', charge: 'paid', change: { amount: 2_000_000 } },
  { code: 'refund_too_large', operationId: 'refundTransaction', charge: 'paid', change: { amount: 1e30 } },
  { code: 'above_maximum', operationId: 'getQuote', change: { amount: 2_000_000 } },
];
