/**
 * What a transaction has moved so far, for the account that reads it, by the ledger: the one
 * definition that lists, details, files and receipts share (the SQL function transaction_figures).
 * All zero while nothing is final.
 */
export type Figures = {
  /**
   * What the payer paid and was credited (positive), or what was sent to the receiver (negative).
   */
  settledGrossCentavos: bigint;
  settledFeeCentavos: bigint;
  /** What went to another account. */
  settledSplitCentavos: bigint;
  /** What went back to the payer. */
  refundedCentavos: bigint;
  /** gross - fee - split - refunded: what available and blocked changed by together. */
  settledNetCentavos: bigint;
};

/** Selects Figures in a query that joins figuresOf. */
export const FIGURE_COLUMNS = `f.gross_centavos AS "settledGrossCentavos", f.fee_centavos AS "settledFeeCentavos",
  f.split_centavos AS "settledSplitCentavos", f.refunded_centavos AS "refundedCentavos", f.net_centavos AS "settledNetCentavos"`;

/**
 * Joins the figures `f` to transactions `t`; those of a `split_in` are in the transfer of the
 * charge that it is a part of. `accountId` is SQL for the account that reads.
 */
export const figuresOf = (accountId: string): string =>
  `CROSS JOIN LATERAL transaction_figures(coalesce(t.split_of_id, t.id), ${accountId}) AS f`;

/**
 * Three conditions by which transactions t are of an amount, without its sign, each with an index
 * of its own: the amount that the panel shows, where the ledger need not be read for it (of an
 * invoice what was credited, of a crypto withdrawal what is sent); where another one was asked for,
 * that one; and of the few invoices of which an operator has credited a review, all that was
 * credited. `between` is SQL for a condition of an amount.
 */
export const amountConditions = (between: (amount: string) => string): [string, string, string] => [
  `${between(SHOWN_AMOUNT)} AND NOT (t.credited_centavos > 0 AND ${HAS_CREDITED_REVIEW})`,
  `${ASKS_FOR_OTHER_AMOUNT} AND ${between('t.amount_centavos')}`,
  `${HAS_CREDITED_REVIEW} AND ${between(`(t.credited_centavos + ${REVIEW_CREDIT})`)}`,
];

/** Word for word the expression of the index transactions_shown_amount. */
const SHOWN_AMOUNT = `(CASE WHEN t.credited_centavos > 0 THEN t.credited_centavos
  WHEN t.type = 'crypto_out' THEN t.net_centavos ELSE t.amount_centavos END)`;
/** Word for word the condition of the index transactions_asked_amount. */
const ASKS_FOR_OTHER_AMOUNT = `(t.credited_centavos > 0 OR t.type = 'crypto_out')`;
const REVIEW_CREDIT = '(SELECT credit FROM invoice_decided(t.id))';
/** Begins with, word for word, the condition of the index transactions_reviewed. */
const HAS_CREDITED_REVIEW = `(t.reviewed_centavos > 0 AND ${REVIEW_CREDIT} > 0)`;
