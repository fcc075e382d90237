import { z } from 'zod';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { brlOutput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';

/** What waits for an operator, and whether the installation does its work. */
export const operatorOverviewOutput = z.object({
  waiting: z.array(
    z.object({
      kind: z.enum(['unmatched', 'sent', 'operation', 'review', 'owed']),
      mode: z.enum(['live', 'test']),
      count: z.int(),
      amount: brlOutput,
      /** Null for what is owed. */
      since_seconds: z.number().nullable(),
    }),
  ),
  verifications: z.int(),
  disputes: z.int(),
  /** Payouts whose outcome is unknown. */
  payouts: z.int(),
  /** Tasks that are due, and for how long the oldest is. */
  queue: z.array(z.object({ kind: z.string(), due: z.int(), scheduled: z.int(), oldest_due_seconds: z.number() })),
  /** How long ago each PSP's recent payments were read. */
  sweeps: z.array(z.object({ rail: z.string(), seconds: z.number() })),
  /**
   * The days whose books differ from a provider's, each by a decimal text in its currency, or of
   * which movements could not be read.
   */
  differing_days: z.array(
    z.object({
      ...{ rail: z.string(), currency: z.string(), day: z.string(), asset: z.string() },
      ...{ difference: z.string(), unreadable: z.int() },
    }),
  ),
  /** Rails that are off for every account. */
  closed_rails: z.array(z.object({ rail: z.enum(TRANSACTION_TYPES), reason: z.string() })),
  now: instantOutput,
});
