import { z } from 'zod';
import { DISPUTE_STATES } from '#domain/disputes/dispute-states.ts';
import { DELIVERY_STATUSES } from '#domain/webhooks/events.ts';
import { REPEAT_EVERY } from '#domain/withdrawals/payout-schedule.ts';
import { brlOutput, percentOutput } from '../amounts.ts';
import { countText, instantOutput } from '../fields.ts';
import { transactionOutput } from './transactions.ts';

/** Panel only: the records behind a transaction. */
export const transactionDetailInput = z.object({ transaction_id: z.string() });

/** A call to a provider, with its answer, masked. */
export const providerCallOutput = z.object({
  id: countText,
  at: instantOutput,
  operation: z.string(),
  method: z.string(),
  target: z.string(),
  status: z.number().nullable(),
  outcome: z.enum(['done', 'rejected', 'failed', 'silent']),
  duration_ms: z.number(),
  request: z.string().nullable(),
  response: z.string().nullable(),
});

export const transactionDetailOutput = z.object({
  /** As transactions.get has it, with documents and PIX keys masked. */
  transaction: transactionOutput.shape.data,
  /**
   * The owner of a PIX withdrawal's key, the document masked; null until the provider returns it.
   */
  receiver: z.object({ name: z.string(), document: z.string().nullable() }).nullable(),
  /**
   * Null: the terms that gave this fee are not known any more. `percent` 1 is 1 %, `fixed` in BRL.
   */
  fee: z.object({ percent: percentOutput, fixed: brlOutput }).nullable(),
  timeline: z.array(
    z.object({
      /**
       * The name of an event without its type, dispute_opened and the like, or created, sent,
       * refund_requested, refund_made_at_bank, refund_med_return, webhook_delivered,
       * webhook_failed. A PIX made in the bank's application has made_at_bank, then charged.
       */
      what: z.string(),
      at: instantOutput,
      amount: brlOutput.nullable(),
      /** An end-to-end id, or a network's. */
      reference: z.string().nullable(),
      http_status: z.number().nullable(),
      duration_ms: z.number().nullable(),
    }),
  ),
  ledger: z.array(
    z.object({
      transfer_id: countText,
      kind: z.string(),
      at: instantOutput,
      entries: z.array(
        z.object({
          account: z.enum([
            'available',
            'pending',
            'blocked',
            'owed',
            'pix_settlement',
            'crypto_settlement',
            'fees',
            'suspense',
            'write_offs',
            'split_receiver',
          ]),
          amount: brlOutput,
          balance_after: brlOutput.nullable(),
        }),
      ),
    }),
  ),
  limits: z.array(z.object({ name: z.string(), limit: brlOutput, value: brlOutput })),
  deliveries: z.array(
    z.object({
      delivery_id: z.string(),
      event: z.string(),
      topic: z.enum(['deposit', 'withdrawal', 'usdt']).nullable(),
      /** Null: it never went anywhere, and its topic has no URL. */
      url: z.string().nullable(),
      status: z.enum(DELIVERY_STATUSES),
      attempts: z.number(),
      last_status: z.number().nullable(),
      created_at: instantOutput,
      finished_at: instantOutput.nullable(),
      next_attempt_at: instantOutput.nullable(),
    }),
  ),
  provider_calls: z.array(providerCallOutput),
  /** What can be given back from now on; null: nothing. */
  refundable: z.object({ amount: brlOutput, until: instantOutput }).nullable(),
  /** The newest case about this payment; null: its payer never contested it. */
  dispute: z
    .object({ dispute_id: z.uuid(), state: z.enum(DISPUTE_STATES), amount: brlOutput, answer_by: instantOutput })
    .nullable(),
  /** The case that the account had lost last to this payer before the charge; null: none. */
  lost_to_payer: z.object({ dispute_id: z.uuid(), closed_at: instantOutput }).nullable(),
  /** The second person that a withdrawal needs or needed; null: none. */
  approval: z
    .object({
      /** The name of the key or the member who asked; null: the installation itself. */
      asked_by: z.string().nullable(),
      asked_by_key: z.boolean(),
      /** A key of an assistant: any member whose role sends money confirms what it asked for. */
      asked_by_assistant: z.boolean(),
      /** Whether this member counts as having asked, and can't approve. */
      own: z.boolean(),
      expires_at: instantOutput,
      /** Null: it waits. */
      outcome: z.enum(['approved', 'declined', 'expired']).nullable(),
      decided_by: z.string().nullable(),
      decided_at: instantOutput.nullable(),
      /** Why it was declined. */
      reason: z.string().nullable(),
    })
    .nullable(),
  /**
   * How often a scheduled withdrawal is sent, and which one of them this is; null: it is sent once.
   * `count` in all, or up to the day `until`.
   */
  repeat: z
    .object({
      every: z.enum(REPEAT_EVERY),
      number: z.int(),
      count: z.int().nullable(),
      until: z.string().nullable(),
    })
    .nullable(),
  cancellable: z.boolean(),
  payment_url: z.string().nullable(),
  provider_url: z.string().nullable(),
});

export type TransactionDetailView = z.input<typeof transactionDetailOutput>;
