import { z } from 'zod';
import { TRANSACTION_STATUSES } from '#domain/transactions/transaction-states.ts';
import { REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { brlInput, brlOutput, rangedBrlInput } from '../amounts.ts';
import { filledTextInput, instantOutput, uuidInput } from '../fields.ts';

/**
 * Panel only: money over the account's own credentials with a PSP that came without a charge, or
 * left without a request. Amounts in BRL.
 */

const received = z.object({
  payment_id: z.uuid(),
  end_to_end_id: z.string(),
  /** What is left of it: a part may have gone back at the bank. */
  amount: brlOutput,
  paid_at: instantOutput,
  payer_note: z.string().nullable(),
  /** It is on its way back: nothing is to be decided. */
  returning: z.boolean(),
  /** Its payer contests it (MED): the provider may send it back by itself. */
  contested: z.boolean(),
});

const sent = z.object({
  payout_id: z.uuid(),
  end_to_end_id: z.string(),
  amount: brlOutput,
  sent_at: instantOutput,
});

const decided = z.object({
  id: z.uuid(),
  outcome: z.enum(['assigned', 'deposited', 'returned', 'charged', 'written_off']),
  end_to_end_id: z.string(),
  amount: brlOutput,
  /** Null: the payer has it back without anybody's decision. */
  decided_at: instantOutput.nullable(),
  decided_by: z.string().nullable(),
  reason: z.string().nullable(),
  /** The charge that it was credited as, or the withdrawal that pays for it. */
  transaction_id: z.uuid().nullable(),
});

export const inboxOutput = z.object({
  /** The oldest first. */
  received: z.array(received),
  sent: z.array(sent),
  /** The newest first. */
  decided: z.array(decided),
});

export type Inbox = z.input<typeof inboxOutput>;

/** Longer than any id, name or amount. */
const TEXT_LENGTH_MAX = 200;

/** Without a text it finds charges of the payment's amount. */
export const assignableInput = z.object({
  payment_id: uuidInput,
  text: filledTextInput(TEXT_LENGTH_MAX).optional(),
});

export const assignableOutput = z.object({
  /** Not paid, the newest first. */
  charges: z.array(
    z.object({
      transaction_id: z.uuid(),
      amount: brlOutput,
      status: z.enum(TRANSACTION_STATUSES),
      description: z.string().nullable(),
      customer_name: z.string().nullable(),
      created_at: instantOutput,
    }),
  ),
});

/** Without a charge: as a deposit. */
export const previewInput = z.object({ payment_id: uuidInput, charge_id: uuidInput.optional() });

export const previewOutput = z.object({
  amount: brlOutput,
  fee: brlOutput,
  split: brlOutput,
  /** The amount that is credited. */
  net: brlOutput,
});

const reason = filledTextInput(REASON_LENGTH_MAX).transform((text) => text.trim());

/** `net`: the amount to be credited that the member was shown. */
export const assignInput = z.object({ payment_id: uuidInput, charge_id: uuidInput, net: rangedBrlInput, reason });
export const depositInput = z.object({ payment_id: uuidInput, net: rangedBrlInput, reason });
/** `amount`: the amount that the member was shown. */
export const returnInput = z.object({ payment_id: uuidInput, amount: brlInput, reason });
export const chargeInput = z.object({ payout_id: uuidInput, amount: brlInput, reason });

export const decisionOutput = z.object({ outcome: z.enum(['assigned', 'deposited', 'returning', 'charged']) });
