import type { Operations } from './generated/api.ts';

type Answer<Name extends keyof Operations> = Operations[Name]['answer']['data'];
type Body<Name extends keyof Operations> = NonNullable<Operations[Name]['body']>;
type Query<Name extends keyof Operations> = NonNullable<Operations[Name]['query']>;
type Item<List> = List extends readonly (infer One)[] ? One : never;

/**
 * The params of requests. Their fields are those of the API, and their descriptions come from its
 * document.
 */
export type CreateChargeParams = Body<'POST /payments/transactions'>;
export type CreateCryptoDepositParams = Body<'POST /payments/deposits/crypto'>;
export type PixWithdrawalParams = Body<'POST /payments/transfers/pix'>;
export type CryptoWithdrawalParams = Body<'POST /payments/transfers/crypto'>;
export type RefundParams = Body<'POST /payments/transactions/{transactionId}/refund'>;
export type AnswerDisputeParams = Body<'POST /payments/disputes/{disputeId}/answer'>;
export type CreateAccountParams = Body<'POST /accounts'>;
export type SendHeldEventsParams = Body<'POST /events/held/send'>;
export type ResendEventParams = Body<'POST /events/{eventId}/resend'>;
export type ReplayEventsParams = Body<'POST /events/replay/start'>;
export type CreateWebhookEndpointParams = Body<'POST /webhook-endpoints'>;
export type UpdateWebhookEndpointParams = Body<'POST /webhook-endpoints/{endpointId}'>;
export type RotateWebhookEndpointSecretParams = Body<'POST /webhook-endpoints/{endpointId}/rotate-secret'>;
export type ListTransactionsParams = Query<'GET /payments/transactions'>;
export type ListDisputesParams = Query<'GET /payments/disputes'>;
export type ListEventsParams = Query<'GET /events'>;
export type StatementParams = Query<'GET /payments/statement'>;
export type QuoteParams = Query<'GET /payments/quote'>;

/** The answers. */
export type Charge = Answer<'POST /payments/transactions'>;
export type CryptoDeposit = Answer<'POST /payments/deposits/crypto'>;
export type PixWithdrawal = Answer<'POST /payments/transfers/pix'>;
export type CryptoWithdrawal = Answer<'POST /payments/transfers/crypto'>;
export type Refund = Answer<'POST /payments/transactions/{transactionId}/refund'>;
export type Cancellation = Answer<'POST /payments/transactions/{transactionId}/cancel'>;
export type WithdrawalCancellation = Answer<'POST /payments/transfers/pix/{transactionId}/cancel'>;
/** A whole transaction, with its history and refunds. */
export type Transaction = Answer<'GET /payments/transactions/{transactionId}'>;
/** A transaction as lists have it. */
export type TransactionItem = Item<Answer<'GET /payments/transactions'>>;
export type TransactionStatus = Answer<'GET /payments/transactions/{transactionId}/status'>;
export type Dispute = Answer<'GET /payments/disputes/{disputeId}'>;
export type DisputeItem = Item<Answer<'GET /payments/disputes'>>;
export type Payee = Item<Answer<'GET /payments/payees'>>;
export type Balance = Answer<'GET /payments/balance'>;
export type Limits = Answer<'GET /payments/limits'>;
export type Statement = Answer<'GET /payments/statement'>;
export type StatementEntry = Item<Statement['entries']>;
export type Currency = Item<Answer<'GET /payments/currencies'>>;
export type Quote = Answer<'GET /payments/quote'>;
export type Account = Answer<'GET /account'>;
export type TestClock = Answer<'GET /test-clock'>;
export type CreatedAccount = Answer<'POST /accounts'>;
/** An event with its exact body and its deliveries. */
export type Event = Answer<'GET /events/{eventId}'>;
export type EventItem = Item<Answer<'GET /events'>>;
export type ResentEvent = Answer<'POST /events/{eventId}/resend'>;
export type HeldEventsSending = Answer<'POST /events/held/send'>;
export type WebhookEndpoint = Answer<'GET /webhook-endpoints/{endpointId}'>;
/** With its secret, which no other answer has. */
export type CreatedWebhookEndpoint = Answer<'POST /webhook-endpoints'>;
export type RemovedWebhookEndpoint = Answer<'POST /webhook-endpoints/{endpointId}/remove'>;
export type TestedWebhookEndpoint = Answer<'POST /webhook-endpoints/{endpointId}/test'>;

/** How many deliveries wait now, and where the next call goes on; null for the end. */
export type EventReplay = Answer<'POST /events/replay/start'> &
  Pick<Operations['POST /events/replay/start']['answer'], 'next_cursor'>;

/** The whole answers of lists, which `Page.answer` holds. */
export type TransactionList = Operations['GET /payments/transactions']['answer'];
export type DisputeList = Operations['GET /payments/disputes']['answer'];
export type EventList = Operations['GET /events']['answer'];
export type StatementPage = Operations['GET /payments/statement']['answer'];
