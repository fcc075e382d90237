/** How long a charge may be payable, in seconds, where its request says so. */
export type ExpiresIn = { min: number; max: number };

/**
 * Of a PIX charge. In less than a minute a payer has not opened their bank's app; for more than
 * three months PSPs have charges with a due date.
 */
export const CHARGE_EXPIRES_IN: ExpiresIn = { min: 60, max: 90 * 86_400 };

/**
 * Of a crypto invoice: Plisio counts its life in minutes, and a week is the longest that an
 * installation may be set to. createInvoice accepts at most what the installation is set to,
 * because holding a quote is the installation's risk.
 */
export const INVOICE_EXPIRES_IN: ExpiresIn = { min: 60, max: 7 * 86_400 };
