import { z } from 'zod';
import { brlOutput, unitsTextOutput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';

/** The input of the payment page: the id that its address carries. */
export const paymentPageInput = z.object({ transactionId: z.uuid() });

/**
 * The states that a payer may see. A transaction that was refunded afterwards stays `paid` here:
 * the payer's part is done. Of crypto only: `detected` (everything has been seen, the network has
 * not confirmed it yet), `underpaid` and `overpaid` (it is over, with less or more than was asked).
 */
const paymentPageStatus = z.enum([
  'pending',
  'detected',
  'paid',
  'underpaid',
  'overpaid',
  'expired',
  'cancelled',
  'failed',
  'review',
]);

/** Quantities are decimal texts in coins, because a double does not carry every one of them. */
const cryptoPayment = z.object({
  /** The code of the contract, e.g. USDT_TRX. */
  currency: z.string(),
  /** What is quoted and counted, e.g. USDT. */
  asset: z.string(),
  network: z.string(),
  /** Null when the processor's own page takes the payment: then provider_url leads there. */
  wallet: z.string().nullable(),
  memo: z.string().nullable(),
  provider_url: z.string().nullable(),
  amount: unitsTextOutput,
  received: unitsTextOutput,
  /** What is still owed; "0" when everything was seen. */
  missing: unitsTextOutput,
  confirmations: z.number().int(),
  confirmations_needed: z.number().int().nullable(),
});

/**
 * What a payer may know of a PIX charge or a crypto invoice by its id alone: nothing about the
 * customer, the fees or the account. `amount` is BRL with two decimals, instants are ISO 8601 UTC.
 * `server_time` lets the page count down without trusting the phone's clock.
 */
export const paymentPageOutput = z.object({
  transaction_id: z.uuid(),
  status: paymentPageStatus,
  amount: brlOutput,
  merchant_name: z.string(),
  description: z.string().nullable(),
  /**
   * PIX: the copy-and-paste code that is also the QR picture; null while the PSP has not issued it,
   * and for crypto.
   */
  br_code: z.string().nullable(),
  /** Null for PIX. */
  crypto: cryptoPayment.nullable(),
  created_at: instantOutput,
  expires_at: instantOutput.nullable(),
  paid_at: instantOutput.nullable(),
  livemode: z.boolean(),
  server_time: instantOutput,
});

export type PaymentPageStatus = z.input<typeof paymentPageStatus>;
export type PaymentPageData = z.input<typeof paymentPageOutput>;
export type CryptoPaymentData = z.input<typeof cryptoPayment>;
