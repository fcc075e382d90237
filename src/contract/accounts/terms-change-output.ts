import { z } from 'zod';
import { LIMIT_NAMES } from '#domain/accounts/limits.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { brlOutput, percentOutput } from '../amounts.ts';

const fee = z.object({
  percent: percentOutput,
  /** In reais. */
  fixed: brlOutput,
});
const limit = z.object({
  /** In reais; null: none, or the installation's. */
  limit: brlOutput.nullable(),
  is_default: z.boolean(),
});
const rate = z.object({ percent: percentOutput, before_percent: percentOutput.nullable() });

/**
 * The changes of an account's terms, each with the value before it; `before` is null where it is
 * unknown.
 */
export const termsChangeFields = {
  fees: z.array(fee.extend({ type: z.enum(TRANSACTION_TYPES), before: fee.nullable() })),
  limits: z.array(limit.extend({ name: z.enum(LIMIT_NAMES), before: limit.nullable() })),
  /** Null: it stays as it is. */
  spread: rate.nullable(),
  tolerance: rate.nullable(),
};

export const termsChangeOutput = z.object(termsChangeFields);
export type TermsChangeOutput = z.input<typeof termsChangeOutput>;
