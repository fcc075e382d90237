import { z } from 'zod';
import { FEE_BPS_MAX, FEE_FIXED_CENTAVOS_MAX } from '#domain/accounts/fees.ts';
import { LIMIT_NAMES } from '#domain/accounts/limits.ts';
import { RATE_BPS_MAX } from '#domain/accounts/terms-change.ts';
import { isDay } from '#domain/reports/statement-period.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { formatBrl, readBrl, toBrl } from '#domain/values/money.ts';
import { termsChangeFields } from '../accounts/terms-change-output.ts';
import { brlOutput, percentOutput } from '../amounts.ts';
import { reject } from '../codecs.ts';
import { instantOutput, uuidInput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';
import { reasonInput } from './accounts.ts';

/** Far above the money of any installation; the same as the command line takes. */
const LIMIT_CENTAVOS_MAX = 9_999_999_999_999_99n;

const BPS_PER_PERCENT = 100;
/** A figure with two decimals is a whole number of basis points, up to this error of a double. */
const DOUBLE_ERROR = 1e-6;

/** A share in percent, 0 included, at most two decimals: basis points inside. */
function percentInput(bpsMax: number) {
  const wrong = issue('not_between', { min: '0', max: String(bpsMax / BPS_PER_PERCENT) });
  return z.codec(z.number({ error: wrong }), z.int(), {
    decode(percent, payload) {
      const bps = Math.round(percent * BPS_PER_PERCENT);
      const isExact = Math.abs(percent * BPS_PER_PERCENT - bps) < DOUBLE_ERROR;
      return isExact && bps >= 0 && bps <= bpsMax ? bps : reject(payload, wrong);
    },
    encode: (bps) => bps / BPS_PER_PERCENT,
  });
}

/** An amount of reais, 0 included. */
function amountInput(max: bigint) {
  const notReais = issue('not_reais_with_decimals');
  return z.codec(z.number({ error: notReais }), z.bigint(), {
    decode(reais, payload) {
      const centavos = readBrl(reais);
      if (centavos === null || centavos < 0n) return reject(payload, notReais);
      return centavos <= max ? centavos : reject(payload, issue('amount_too_large', { max: formatBrl(max) }));
    },
    encode: toBrl,
  });
}

export const changeTermsInput = z.object({
  account_id: uuidInput,
  fees: z
    .array(
      z.object({
        type: z.enum(TRANSACTION_TYPES),
        percent: percentInput(FEE_BPS_MAX),
        fixed: amountInput(FEE_FIXED_CENTAVOS_MAX),
      }),
    )
    .max(TRANSACTION_TYPES.length)
    .default([]),
  limits: z
    .array(
      z.object({
        name: z.enum(LIMIT_NAMES),
        /** Null: none. */
        limit: amountInput(LIMIT_CENTAVOS_MAX).nullable(),
        /** The installation's, whatever `limit` says. */
        is_default: z.boolean().default(false),
      }),
    )
    .max(LIMIT_NAMES.length)
    .default([]),
  spread_percent: percentInput(RATE_BPS_MAX).optional(),
  tolerance_percent: percentInput(RATE_BPS_MAX).optional(),
  /** The day of São Paulo from which it holds; null: from now on. */
  effective_from: z
    .string({ error: issue('not_day') })
    .refine(isDay, { error: issue('not_day') })
    .nullable(),
  reason: reasonInput,
});

export const cancelTermsInput = z.object({ account_id: uuidInput, change_id: uuidInput });

/** The terms of an account, and their past and planned changes. */
export const operatorTermsOutput = z.object({
  fees: z.array(z.object({ type: z.enum(TRANSACTION_TYPES), percent: percentOutput, fixed: brlOutput })),
  spread_percent: percentOutput,
  tolerance_percent: percentOutput,
  /** The latest to take effect first. */
  changes: z.array(
    z.object({
      ...termsChangeFields,
      change_id: z.string(),
      state: z.enum(['planned', 'in_force', 'cancelled']),
      effective_from: instantOutput,
      /** Null: the installation itself. */
      by: z.string().nullable(),
      at: instantOutput,
      reason: z.string().nullable(),
      cancelled_by: z.string().nullable(),
    }),
  ),
});

export type OperatorTerms = z.input<typeof operatorTermsOutput>;
