import { z } from 'zod';

/** What the payment page asks for: the id that its address carries. */
export const paymentPageInput = z.object({ transactionId: z.uuid() });

/** The states that a payer may see. A charge that was refunded afterwards stays `paid` here: the payer's part is done. */
export const paymentPageStatus = z.enum(['pending', 'paid', 'expired', 'cancelled', 'failed', 'review']);

/**
 * What a payer may know of a PIX charge by its id alone: nothing about the customer, the fees or the account.
 * `amount` is BRL with two decimals, instants are ISO 8601 UTC. `server_time` lets the page count down without trusting
 * the phone's clock.
 */
export const paymentPageOutput = z.object({
  transaction_id: z.uuid(),
  status: paymentPageStatus,
  amount: z.number(),
  merchant_name: z.string(),
  description: z.string().nullable(),
  /** The copy-and-paste code that is also the QR picture; null while the PSP has not issued it. */
  br_code: z.string().nullable(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  paid_at: z.iso.datetime().nullable(),
  livemode: z.boolean(),
  server_time: z.iso.datetime(),
});

export type PaymentPageStatus = z.infer<typeof paymentPageStatus>;
export type PaymentPageData = z.infer<typeof paymentPageOutput>;
