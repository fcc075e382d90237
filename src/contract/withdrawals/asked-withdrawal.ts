import { z } from 'zod';
import { ASKED_STATES } from '#domain/withdrawals/asked-withdrawal.ts';
import { brlOutput, rangedBrlInput } from '../amounts.ts';
import { optional } from '../codecs.ts';
import { instantOutput, textInput } from '../fields.ts';
import { PIX_DESCRIPTION_LENGTH_MAX } from '../lengths.ts';
import { checkMerchantFields, MERCHANT_FIELDS, readMerchantFields } from '../transactions/merchant-fields.ts';
import { checkPixKey, PIX_KEY_FIELDS, readPixKey } from './pix-withdrawal.ts';

/** Assistants only: a PIX withdrawal that a member confirms. It is never scheduled. */
export const askPixWithdrawalInput = z
  .object({
    amount: rangedBrlInput,
    ...PIX_KEY_FIELDS,
    description: optional(textInput(PIX_DESCRIPTION_LENGTH_MAX)),
    ...MERCHANT_FIELDS,
  })
  .check(checkPixKey, checkMerchantFields)
  .transform(({ amount, description, pixKey, pixKeyType, ...fields }, payload) => ({
    amount,
    ...readPixKey({ pixKey, pixKeyType }, payload),
    description,
    merchantFields: readMerchantFields(fields),
  }));

export const askedWithdrawalInput = z.object({ transactionId: z.string() });

export const askedWithdrawalOutput = z.object({
  success: z.literal(true),
  data: z.object({
    transaction_id: z.uuid(),
    status: z.enum(ASKED_STATES),
    /** What the status means, and what to do now. */
    message: z.string(),
    amount: brlOutput,
    amount_fees: brlOutput,
    /** Where a member confirms it, and until when; null: nothing waits for them. */
    confirm_url: z.string().nullable(),
    confirm_until: instantOutput.nullable(),
    failure_code: z.string().nullable(),
    created_at: instantOutput,
    paid_at: instantOutput.nullable(),
  }),
});
