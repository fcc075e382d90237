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
 * Two conditions by which transactions t are of an amount, without its sign and without reading the
 * ledger, each with an index of its own: the amount that the panel shows (of an invoice what was
 * credited, of a crypto withdrawal what is sent), and where another one was asked for, that one.
 * `between` is SQL for a condition of an amount.
 */
export const amountConditions = (between: (amount: string) => string): [string, string] => [
  between(SHOWN_AMOUNT),
  `${ASKS_FOR_OTHER_AMOUNT} AND ${between('t.amount_centavos')}`,
];

/** Word for word the expression of the index transactions_shown_amount. */
const SHOWN_AMOUNT = `(CASE WHEN t.credited_centavos > 0 THEN t.credited_centavos
  WHEN t.type = 'crypto_out' THEN t.net_centavos ELSE t.amount_centavos END)`;
/** Word for word the condition of the index transactions_asked_amount. */
const ASKS_FOR_OTHER_AMOUNT = `(t.credited_centavos > 0 OR t.type = 'crypto_out')`;
