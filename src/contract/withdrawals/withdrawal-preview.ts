import { z } from 'zod';
import type { ErrorCode } from '#domain/errors/error-catalogue.ts';
import { type CurrencyCode, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { brlInput, brlOutput, percentOutput, unitsOutput, unitsTextOutput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';
import { pixKeyInput } from './pix-withdrawal.ts';

const currencyCode = z.string().refine((text): text is CurrencyCode => isCurrencyCode(text));

/** `amount` null: nothing is typed yet. */
export const withdrawalPreviewInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pix'), amount: brlInput.nullable() }),
  z.object({ kind: z.literal('crypto'), amount: brlInput.nullable(), currency: currencyCode }),
]);

/** Why a withdrawal would be rejected; `withdrawals_paused` is the panel's own code. */
export type WithdrawalErrorCode = ErrorCode | 'withdrawals_paused';

export const withdrawalPreviewOutput = z.object({
  /**
   * What the receiver gets, in reais; over crypto what it is worth. Null without an amount, as are
   * those marked so.
   */
  received: brlOutput.nullable(),
  fee: z.object({ percent: percentOutput, fixed: brlOutput, amount: brlOutput.nullable() }),
  /** What leaves the available balance. */
  total: brlOutput.nullable(),
  /** What can be sent. */
  available: brlOutput,
  /** What the balance has beside, at the provider of the account's own credentials; mostly 0. */
  at_own_provider: brlOutput,
  /** Below zero: this much is missing. */
  remaining: brlOutput.nullable(),
  /** Of one withdrawal; the maximum is null where the account has none. */
  minimum: brlOutput,
  maximum: brlOutput.nullable(),
  limits: z.array(
    z.object({
      name: z.enum(['daily', 'night']),
      limit: brlOutput,
      used: brlOutput,
      left: brlOutput,
      counts_now: z.boolean(),
      ends_at: instantOutput.nullable(),
    }),
  ),
  quote: z
    .object({
      currency: z.string(),
      price: unitsOutput,
      spread_percent: percentOutput,
      quoted_at: instantOutput,
      sources: z.array(z.object({ source: z.string(), price: unitsOutput, at: instantOutput })),
      /** Quantity that would be sent, as an exact decimal text. */
      crypto_amount: unitsTextOutput.nullable(),
    })
    .nullable(),
  /** Above this amount it waits for a second person; null: no amount does. */
  approval_above: brlOutput.nullable(),
  /** Above this amount it goes to payees of the account only; null: no amount does. */
  payees_above: brlOutput.nullable(),
  memo: z.enum(['none', 'sent', 'not_sent']),
  /** In the order of the checks; empty: the withdrawal would be accepted. */
  errors: z.array(z.custom<WithdrawalErrorCode>((value) => typeof value === 'string')),
  /** Until when this member's withdrawals are paused; null: they are not. */
  paused_until: instantOutput.nullable(),
});

/** The key, in the fields of a withdrawal. */
export const lastReceiverInput = pixKeyInput;

export const lastReceiverOutput = z.object({
  /**
   * Who received the account's last withdrawal to this key that was paid, the document masked; null
   * where there is none, or the provider did not say.
   */
  receiver: z.object({ name: z.string(), document: z.string().nullable(), paid_at: instantOutput }).nullable(),
});

export type WithdrawalPreviewData = z.input<typeof withdrawalPreviewOutput>;
