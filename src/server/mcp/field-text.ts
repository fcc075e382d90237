/** The day that a person means is one of São Paulo, three hours later. */
const DATE_ALONE = 'A date alone is its 00:00 UTC; a day of São Paulo begins at e.g. 2026-11-20T00:00:00-03:00.';

/**
 * Descriptions of the tools' arguments, in English; those of the REST reference are Portuguese. By
 * the argument's name, or by `tool.name` where it means something else in that tool.
 */
const TEXTS: Readonly<Record<string, string>> = {
  amount: 'Amount in reais (BRL), with at most two decimals.',
  customerDocument: 'The payer’s CPF or CNPJ, with or without punctuation.',
  customerDocumentType: 'cpf or cnpj; required with customerDocument.',
  customerEmail: 'The payer’s e-mail.',
  customerName: 'The payer’s name.',
  customerPhone: 'The payer’s phone, with its area code.',
  description: 'Free text; the other side of the payment sees it.',
  expiresIn: 'After how many seconds the charge ends, 60 to 7776000 (90 days).',
  idempotency_key:
    'A new text for each thing that is to be done, e.g. a UUID; send the same one to repeat a call. The same key with the same arguments never does it twice, and answers what was answered first.',
  memo: 'The wallet’s memo, in the networks that have one.',
  metadata: 'Up to 20 pairs of name and text of the merchant’s own.',
  pixKey: 'The PIX key that receives it.',
  pixKeyType: 'CPF, CNPJ, EMAIL, PHONE or EVP.',
  reference: 'A reference of the merchant’s own, e.g. the number of an order.',
  referenceUnique: 'true: rejected where another transaction or refund of the account has this reference.',
  'request_crypto_withdrawal.amount': 'How much leaves the balance, in reais (BRL), the fee included.',
  wallet: 'The address that receives it, in the network of the currency.',
  balance:
    'Which of the three balances. available: can be used; pending: seen, but not confirmed by the network yet (crypto); blocked: held for withdrawals, refunds and disputes in progress.',
  currency: 'Code of the currency, e.g. USDT_BSC; without it the account’s own. See list_currencies.',
  cursor: 'The next_cursor of the page before, with the same other arguments.',
  display_status: 'Only those that the panel shows with one of these, e.g. paid also finds crypto invoices paid.',
  disputeId: 'The dispute’s id.',
  eventId: 'The event’s id, e.g. evt_….',
  from: `Only those created at or after this instant. ${DATE_ALONE}`,
  'get_quote.amount': 'The amount to convert, in reais.',
  'get_statement.from': 'The first day, in São Paulo, e.g. 2026-11-01.',
  'get_statement.to': 'The last day, included: at most 366 days.',
  limit: 'How many rows a page has, 1 to 100.',
  'list_disputes.state':
    'Only those in one of these states. open: waits for the merchant’s answer; answered: waits for the decision; won and cancelled: the amount is back in the balance; lost: waits to be returned to the payer; returned: returned to the payer.',
  'list_events.status':
    'Only those with one of these. pending: on its way; delivered: received; failed: no attempt was received; held: the webhook is disabled or has no URL.',
  'list_events.type': 'Only these types, e.g. pix_in.paid.',
  'list_transactions.metadata': 'Only those with this pair of metadata, written name=text.',
  'list_transactions.reference': 'Only those with exactly this reference, or with a refund that has it.',
  max_amount: 'Only those of this amount in reais, or less.',
  min_amount: 'Only those of this amount in reais, or more.',
  paid_from: `Only those paid at or after this instant. ${DATE_ALONE}`,
  paid_to: `Only those paid before this instant. ${DATE_ALONE}`,
  side: 'Of a deposit or of a withdrawal.',
  since: `Only those that happened at or after this instant. ${DATE_ALONE}`,
  status: 'Only those with one of these statuses.',
  text: 'Searches whole ids, txids, end-to-end ids, wallets, documents, phones and references; names, e-mails, descriptions and metadata by how their words begin.',
  to: `Only those created before this instant. ${DATE_ALONE}`,
  transactionId: 'The transaction’s id.',
  transaction_id: 'Only those of this transaction.',
  type: 'Only these types.',
};

/**
 * Returns the description of a tool's argument. Throws when it has none: such a tool is not served.
 */
export function fieldText(tool: string, field: string): string {
  const text = TEXTS[`${tool}.${field}`] ?? TEXTS[field];
  if (text === undefined)
    throw new Error(`Write a text for the argument ${field} of the tool ${tool}, in field-text.ts.`);
  return text;
}
