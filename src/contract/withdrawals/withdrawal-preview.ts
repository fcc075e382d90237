import { z } from 'zod';
import type { ErrorCode } from '#domain/errors/error-catalogue.ts';
import { type CurrencyCode, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { brlInput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';
import { pixKeyInput } from './pix-withdrawal.ts';

const currencyCode = z.string().refine((text): text is CurrencyCode => isCurrencyCode(text));

/** `amount` null: nothing is typed yet. */
export const withdrawalPreviewInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pix'), amount: brlInput.nullable() }),
  z.object({ kind: z.literal('crypto'), amount: brlInput.nullable(), currency: currencyCode }),
]);

/** What a withdrawal would be rejected for; `withdrawals_paused` is the panel's own. */
export type WithdrawalErrorCode = ErrorCode | 'withdrawals_paused';

const brl = z.number();

export const withdrawalPreviewOutput = z.object({
  /**
   * What the receiver gets, in reais; over crypto what it is worth. Null without an amount, as are
   * those marked so.
   */
  received: brl.nullable(),
  fee: z.object({ percent: z.number(), fixed: brl, amount: brl.nullable() }),
  /** What leaves the available balance. */
  total: brl.nullable(),
  available: brl,
  /** Below zero: so much is missing. */
  remaining: brl.nullable(),
  /** Of one withdrawal; null: without. */
  minimum: brl.nullable(),
  maximum: brl.nullable(),
  limits: z.array(
    z.object({
      name: z.enum(['daily', 'night']),
      limit: brl,
      used: brl,
      left: brl,
      counts_now: z.boolean(),
      ends_at: instantOutput.nullable(),
    }),
  ),
  quote: z
    .object({
      currency: z.string(),
      price: z.number(),
      spread_percent: z.number(),
      quoted_at: instantOutput,
      sources: z.array(z.object({ source: z.string(), price: z.number(), at: instantOutput })),
      /** Quantity that would be sent, as an exact decimal text. */
      crypto_amount: z.string().nullable(),
    })
    .nullable(),
  memo: z.enum(['none', 'sent', 'not_sent']),
  /** First what would be said first; empty: it would be taken. */
  errors: z.array(z.custom<WithdrawalErrorCode>((value) => typeof value === 'string')),
  /** Until when this member's withdrawals are paused; null: they are not. */
  paused_until: instantOutput.nullable(),
});

/** The key as a withdrawal to it would have it. */
export const lastReceiverInput = pixKeyInput;

export const lastReceiverOutput = z.object({
  /**
   * Who received the account's last withdrawal to this key that was paid, the document masked; null
   * where there is none, or the provider did not say.
   */
  receiver: z.object({ name: z.string(), document: z.string().nullable(), paid_at: instantOutput }).nullable(),
});

export type WithdrawalPreviewData = z.infer<typeof withdrawalPreviewOutput>;
