/** How long a charge may be payable, in seconds, where its request says so. */
export type ExpiresIn = { min: number; max: number };

/**
 * Of a PIX charge. Below a minute nobody has opened a bank's application; above three months the
 * sale is another one, and the PSP asks for a charge with a due date.
 */
export const CHARGE_EXPIRES_IN: ExpiresIn = { min: 60, max: 90 * 86_400 };

/**
 * Of a crypto invoice: Plisio counts its life in minutes, and a week is the longest that an
 * installation may be set to. How long a quote is held is the installation's risk: createInvoice
 * takes no longer than it is set to.
 */
export const INVOICE_EXPIRES_IN: ExpiresIn = { min: 60, max: 7 * 86_400 };
