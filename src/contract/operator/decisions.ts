import { z } from 'zod';
import { DISPUTE_ENDS, DISPUTE_STATES } from '#domain/disputes/dispute-states.ts';
import { brlOutput } from '../amounts.ts';
import { instantOutput, uuidInput } from '../fields.ts';
import { reasonInput } from './accounts.ts';

/** What can be decided about money that came or left without a request, and about reviews. */
export const DECISIONS = [
  'assign',
  'deposit',
  'return',
  'charge',
  'write_off',
  'credit',
  'recover',
  'dismiss',
] as const;

export const waitingOutput = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['unmatched', 'sent', 'review']),
      mode: z.enum(['live', 'test']),
      /** Below zero: it left. */
      amount: brlOutput,
      end_to_end_id: z.string().nullable(),
      /** What the payer wrote, or why it is in review. */
      note: z.string().nullable(),
      merchant_name: z.string().nullable(),
      transaction_id: z.string().nullable(),
      at: instantOutput,
      /** Its money is on its way back: nothing more can be decided. */
      decisions: z.array(z.enum(DECISIONS)),
    }),
  ),
});

export type WaitingItem = z.input<typeof waitingOutput>['items'][number];

export const decideInput = z.object({
  id: uuidInput,
  kind: z.enum(['unmatched', 'sent', 'review']),
  decision: z.enum(DECISIONS),
  /** The charge of `assign`, the account of `deposit` and `charge`. */
  target: uuidInput.nullable(),
  reason: reasonInput,
});

export const operatorDisputesOutput = z.object({
  disputes: z.array(
    z.object({
      dispute_id: z.string(),
      transaction_id: z.string(),
      account_id: z.string(),
      state: z.enum(DISPUTE_STATES),
      amount: brlOutput,
      held: brlOutput,
      answer: z.string().nullable(),
      opened_at: instantOutput,
      answer_by: instantOutput,
    }),
  ),
});

export const endDisputeInput = z.object({ dispute_id: uuidInput, outcome: z.enum(DISPUTE_ENDS) });
