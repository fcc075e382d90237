import { z } from 'zod';
import { LIMIT_NAMES } from '#domain/accounts/limits.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { brlOutput, percentOutput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';
import { termsChangeFields } from './terms-change-output.ts';

/** The terms of an account, with examples that explain them. */
export const termsOutput = z.object({
  limits: z.array(
    z.object({
      name: z.enum(LIMIT_NAMES),
      /** In reais; null: nothing was agreed, so it does not limit. */
      limit: brlOutput.nullable(),
      /** For limits that fill up: how much is used, what is left, and when the count restarts. */
      use: z.object({ used: brlOutput, left: brlOutput.nullable(), resets_at: instantOutput }).nullable(),
    }),
  ),
  /** São Paulo's hours between which the night's limit holds, and whether it is night. */
  night: z.object({ from_hour: z.number(), to_hour: z.number(), now: z.boolean() }),
  fees: z.array(
    z.object({
      type: z.enum(TRANSACTION_TYPES),
      percent: percentOutput,
      /** In reais. */
      fixed: brlOutput,
      /** False: the operator has switched it off. */
      active: z.boolean(),
      /**
       * In reais: an amount, its fee, what the receiver gets, and what leaves the balance when
       * money goes out.
       */
      example: z.object({ amount: brlOutput, fee: brlOutput, net: brlOutput, total: brlOutput }),
    }),
  ),
  crypto: z.object({
    spread_percent: percentOutput,
    tolerance_percent: percentOutput,
    /** In reais: a market price, and the prices of a charge and of a withdrawal. */
    price_example: z.object({ market: brlOutput, charge: brlOutput, withdrawal: brlOutput }),
    /** In reais: an invoice, and the payments that count as it. */
    tolerance_example: z.object({ amount: brlOutput, from: brlOutput, to: brlOutput }),
  }),
  /** Planned changes, the earliest first. */
  planned: z.array(z.object({ ...termsChangeFields, effective_from: instantOutput })),
});

export type TermsOutput = z.input<typeof termsOutput>;
