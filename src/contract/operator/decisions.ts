import { z } from 'zod';
import { DISPUTE_ENDS, DISPUTE_STATES } from '#domain/disputes/dispute-states.ts';
import { brlOutput } from '../amounts.ts';
import { optional } from '../codecs.ts';
import { instantOutput, uuidInput } from '../fields.ts';
import { reasonInput } from './accounts.ts';

/**
 * The kinds of items that wait; `operation`: one of a crypto processor that this service did not
 * start.
 */
const KINDS = ['unmatched', 'sent', 'review', 'operation'] as const;

/** The decisions about them. */
export const DECISIONS = [
  'assign',
  'deposit',
  'return',
  'charge',
  'acknowledge',
  'write_off',
  'credit',
  'recover',
  'dismiss',
] as const;

export const waitingOutput = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(KINDS),
      mode: z.enum(['live', 'test']),
      /** Below zero: it left. Null: they are coins, which `note` has. */
      amount: brlOutput.nullable(),
      /** What the charge asked for that was paid with another amount; null of all else. */
      asked_amount: brlOutput.nullable(),
      /** The provider's id of it. */
      end_to_end_id: z.string().nullable(),
      /** What the payer wrote, why it is in review, or how many coins it is. */
      note: z.string().nullable(),
      merchant_name: z.string().nullable(),
      transaction_id: z.string().nullable(),
      /** Its payer contests it (MED): the PSP may send it back by itself. */
      contested: z.boolean(),
      at: instantOutput,
      /**
       * With what each moves, null of coins. Empty: its money is on its way back, and nothing more
       * can be decided.
       */
      decisions: z.array(z.object({ name: z.enum(DECISIONS), amount: brlOutput.nullable() })),
    }),
  ),
});

export type WaitingItem = z.input<typeof waitingOutput>['items'][number];

export const decideInput = z.object({
  id: uuidInput,
  kind: z.enum(KINDS),
  decision: z.enum(DECISIONS),
  /** The charge of `assign`, the account of `deposit` and `charge`. */
  target: uuidInput.nullable(),
  /** The amount with which it was shown. */
  amount: brlOutput.nullable(),
  reason: reasonInput,
});

/** How many ended cases a page has. */
const PAGE = 50;

const dispute = z.object({
  dispute_id: z.string(),
  transaction_id: z.string(),
  account_id: z.string(),
  merchant_name: z.string(),
  mode: z.enum(['live', 'test']),
  state: z.enum(DISPUTE_STATES),
  amount: brlOutput,
  held: brlOutput,
  /** What went back to the payer. */
  returned: brlOutput,
  /** Whether there is an answer, and where it is. */
  answer: z.enum(['none', 'to_forward', 'on_its_way', 'sent', 'not_taken']),
  /** Why the PSP did not take it. */
  answer_rejection: z.string().nullable(),
  opened_at: instantOutput,
  answer_by: instantOutput,
  closed_at: instantOutput.nullable(),
});

export const operatorDisputesOutput = z.object({ disputes: z.array(dispute) });
export type OperatorDispute = z.input<typeof dispute>;

export const endedDisputesInput = z.object({
  /** The next_cursor of the page before. */
  cursor: optional(uuidInput),
  limit: z.int().min(1).max(PAGE).default(PAGE),
});
export const endedDisputesOutput = z.object({ disputes: z.array(dispute), next_cursor: z.string().nullable() });

export const endDisputeInput = z.object({ dispute_id: uuidInput, outcome: z.enum(DISPUTE_ENDS) });

export const forwardedInput = z.object({ dispute_id: uuidInput });
