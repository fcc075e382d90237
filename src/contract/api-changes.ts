/** A change of the REST API that readers of /docs are shown, with the day on which it came. */
type ApiChange = {
  /** Names its texts in `src/messages` (`docs.changes.texts`). */
  id: string;
  /** 2026-11-24. */
  date: string;
  /** By their operationId. */
  operations?: readonly string[];
  /** The types of events that came with it. */
  events?: readonly string[];
};

/**
 * Every change of the API, the newest first. Each operation and each type of event is in one of
 * them, which a test compares with the document.
 */
export const API_CHANGES = [
  { id: 'urlRules', date: '2026-11-30' },
  { id: 'railsWithProvider', date: '2026-11-29' },
  { id: 'repeatedErrors', date: '2026-11-28' },
  { id: 'reviewedPayments', date: '2026-11-28' },
  { id: 'repeatedSecret', date: '2026-11-28' },
  { id: 'sentQuantity', date: '2026-11-28' },
  { id: 'exactRequests', date: '2026-11-28' },
  { id: 'reasons', date: '2026-11-28' },
  { id: 'disputeState', date: '2026-11-28' },
  { id: 'askedVersion', date: '2026-11-24' },
  {
    id: 'webhookEndpoints',
    date: '2026-11-24',
    operations: [
      ...['listWebhookEndpoints', 'createWebhookEndpoint', 'getWebhookEndpoint', 'updateWebhookEndpoint'],
      ...['removeWebhookEndpoint', 'rotateWebhookEndpointSecret', 'testWebhookEndpoint'],
    ],
  },
  { id: 'testClock', date: '2026-11-24', operations: ['getTestClock', 'advanceTestClock'] },
  { id: 'permissions', date: '2026-11-24' },
  { id: 'expiresIn', date: '2026-11-24' },
  { id: 'references', date: '2026-11-24' },
  { id: 'paymentPage', date: '2026-11-24' },
  { id: 'replay', date: '2026-11-24', operations: ['replayEvents'] },
  { id: 'codes', date: '2026-11-24' },
  { id: 'statement', date: '2026-11-24', operations: ['getStatement'] },
  { id: 'payees', date: '2026-11-23', operations: ['listPayees'] },
  {
    id: 'scheduled',
    date: '2026-11-23',
    operations: ['cancelPixWithdrawal'],
    events: ['pix_out.cancelled'],
  },
  {
    id: 'disputes',
    date: '2026-11-23',
    operations: ['listDisputes', 'getDispute', 'answerDispute'],
    events: ['dispute.opened', 'dispute.due_soon', 'dispute.closed'],
  },
  { id: 'approvals', date: '2026-11-23' },
  { id: 'splits', date: '2026-11-22', events: ['split_in.paid'] },
  {
    id: 'events',
    date: '2026-11-22',
    operations: ['listEvents', 'getEvent', 'resendEvent', 'sendHeldEvents'],
  },
  {
    id: 'begin',
    date: '2026-11-20',
    operations: [
      ...['createPixCharge', 'createPixWithdrawal', 'createCryptoDeposit', 'createCryptoWithdrawal'],
      ...['getTransactionStatus', 'getTransaction', 'listTransactions', 'refundTransaction', 'cancelTransaction'],
      ...['getBalance', 'getLimits', 'getAccount', 'createAccount', 'listCurrencies', 'getQuote'],
    ],
    events: [
      ...['pix_in.paid', 'pix_in.expired', 'pix_in.cancelled', 'pix_in.review', 'pix_in.refunded'],
      ...['pix_in.refund_failed', 'pix_out.processing', 'pix_out.paid', 'pix_out.failed', 'pix_out.review'],
      ...['crypto_in.detected', 'crypto_in.completed', 'crypto_in.underpaid', 'crypto_in.overpaid'],
      ...['crypto_in.expired', 'crypto_in.cancelled', 'crypto_in.failed', 'crypto_out.completed'],
      ...['crypto_out.failed', 'crypto_out.review', 'webhook.test'],
    ],
  },
] as const satisfies readonly ApiChange[];
