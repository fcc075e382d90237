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
 * Joins the figures `f` to transactions `t`, whose parts of others' charges have theirs in that
 * charge's transfer; `accountId` is SQL for the account that looks.
 */
export const figuresOf = (accountId: string): string =>
  `CROSS JOIN LATERAL transaction_figures(coalesce(t.split_of_id, t.id), ${accountId}) AS f`;

/**
 * Over transactions t, without its sign and without reading the ledger: the amount that the panel
 * shows, of an invoice the one that was credited, of a crypto withdrawal the one that is sent. The
 * search by amount uses this one.
 */
export const SHOWN_AMOUNT = `CASE WHEN t.credited_centavos > 0 THEN t.credited_centavos
  WHEN t.type = 'crypto_out' THEN t.net_centavos ELSE t.amount_centavos END`;
