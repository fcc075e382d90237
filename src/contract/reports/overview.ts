import { z } from 'zod';
import { LIMIT_NAMES } from '#domain/accounts/limits.ts';
import { OVERVIEW_PERIODS } from '#domain/reports/overview-period.ts';
import { DISABLED_REASONS } from '#domain/webhooks/disabled-reason.ts';
import { brlOutput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';

/** The panel's first page. BRL. */
export const overviewInput = z.object({ period: z.enum(OVERVIEW_PERIODS) });

const sums = z.object({ count: z.number(), amount: brlOutput });

/** What waits: how many, how much, and since when the oldest does. */
const inboxPile = z.object({ ...sums.shape, oldest_at: instantOutput });
/** Several transactions, and the oldest of them. */
const pile = z.object({ ...inboxPile.shape, oldest_transaction_id: z.uuid() });

export const overviewOutput = z.object({
  /** `owed` is what the account owes: it counts against the others. */
  balances: z.object({ available: brlOutput, pending: brlOutput, blocked: brlOutput, owed: brlOutput }),
  period: z.object({
    starts_at: instantOutput,
    /** The period that it is compared with. */
    before: z.object({ starts_at: instantOutput, ends_at: instantOutput }),
    unit: z.enum(['hour', 'day']),
  }),
  /**
   * The balances together, without what is owed, when the period began and now: opening +
   * received + splits.received - splits.given - fees - sent - refunded + pending_change = closing.
   */
  total: z.object({ opening: brlOutput, pending_change: brlOutput, closing: brlOutput }),
  received: z.object({
    amount: brlOutput,
    pix: sums,
    crypto: sums,
    before: brlOutput,
    /** Against `before`, to a tenth of a percent; null: nothing came in then. */
    change_percent: z.number().nullable(),
  }),
  conversion: z.object({
    made: z.number(),
    paid: z.number(),
    expired: z.number(),
    cancelled: z.number(),
    waiting: z.number(),
    /** The share of those made that were paid, in percent, to a tenth; null: none was made. */
    percent: z.number().nullable(),
  }),
  fees: z.object({ amount: brlOutput, received: brlOutput, sent: brlOutput }),
  sent: z.object({ amount: brlOutput, pix: sums, crypto: sums }),
  /** What went back to payers in the period, also of payments from before. */
  refunded: sums,
  /**
   * Splits of charges: received from other accounts' charges, and given from this account's own.
   */
  splits: z.object({ received: brlOutput, given: brlOutput }),
  series: z.array(z.object({ from: instantOutput, pix: brlOutput, crypto: brlOutput })),
  attention: z.object({
    /**
     * Null: verified. `submitted`: the operator's decision is awaited; `reason`: what has to be
     * corrected, as they wrote it.
     */
    verification: z
      .object({ state: z.enum(['missing', 'submitted', 'rejected']), reason: z.string().nullable() })
      .nullable(),
    webhooks: z.array(
      z.object({
        endpoint_id: z.uuid(),
        /** Null: an endpoint without a topic, known by its host. */
        topic: z.enum(['deposit', 'withdrawal', 'usdt']).nullable(),
        host: z.string(),
        failing_since: instantOutput,
        waiting: z.number(),
        disabled_reason: z.enum(DISABLED_REASONS).nullable(),
      }),
    ),
    limits: z.array(z.object({ name: z.enum(LIMIT_NAMES), used: brlOutput, limit: brlOutput, ends_at: instantOutput })),
    /** Withdrawals that wait for a second person. */
    awaited_approvals: pile.nullable(),
    awaited_batches: z
      .object({ count: z.number(), amount: brlOutput, oldest_batch_id: z.uuid(), oldest_at: instantOutput })
      .nullable(),
    /** Providers that the account has to connect before it can use them. */
    missing_providers: z.array(z.enum(['api_pix', 'plisio'])),
    stuck_withdrawals: pile.nullable(),
    in_review: pile.nullable(),
    /** Contested payments that wait for an answer; `first`: the one whose time ends first. */
    disputes: z
      .object({ count: z.number(), amount: brlOutput, first_dispute_id: z.uuid(), first_answer_by: instantOutput })
      .nullable(),
    /** What waits for a decision: payments that came without a charge. */
    unmatched: inboxPile.nullable(),
    /** And what left without a request. */
    unrequested: inboxPile.nullable(),
  }),
  /** False: nothing was ever asked for or sent. */
  has_transactions: z.boolean(),
});

export type Overview = z.input<typeof overviewOutput>;
