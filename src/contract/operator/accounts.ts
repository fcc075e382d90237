import { z } from 'zod';
import { LIMIT_NAMES } from '#domain/accounts/limits.ts';
import { ROLES } from '#domain/members/roles.ts';
import { OPERATOR_REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { brlOutput } from '../amounts.ts';
import { optional } from '../codecs.ts';
import { filledTextInput, instantOutput, textInput, uuidInput } from '../fields.ts';

/** Longer than any name or e-mail that is kept. */
const SEARCH_LENGTH_MAX = 254;

export const reasonInput = filledTextInput(OPERATOR_REASON_LENGTH_MAX);

const accountOutput = z.object({
  account_id: z.string(),
  merchant_id: z.string(),
  merchant_name: z.string(),
  email: z.string(),
  mode: z.enum(['live', 'test']),
  kyc_status: z.enum(['pending', 'approved', 'rejected']),
  /** Null: it is not suspended. */
  suspended_at: instantOutput.nullable(),
  suspension_reason: z.string().nullable(),
  created_at: instantOutput,
});

export const findAccountsInput = z.object({
  text: textInput(SEARCH_LENGTH_MAX).default(''),
  suspended: z.boolean().default(false),
  /** The next_cursor of the page before. */
  cursor: optional(uuidInput),
});

export const findAccountsOutput = z.object({ accounts: z.array(accountOutput), next_cursor: z.string().nullable() });

export const operatorAccountInput = z.object({ account_id: uuidInput });
export const suspendInput = z.object({ account_id: uuidInput, reason: reasonInput });

export const operatorAccountOutput = z.object({
  account: accountOutput,
  balances: z.object({ available: brlOutput, pending: brlOutput, blocked: brlOutput, owed: brlOutput }),
  members: z.array(
    z.object({ name: z.string(), email: z.string(), role: z.enum(ROLES), has_second_factor: z.boolean() }),
  ),
  /** In reais; null: without limit. */
  limits: z.array(z.object({ name: z.enum(LIMIT_NAMES), limit: brlOutput.nullable() })),
});

export type OperatorAccount = z.input<typeof accountOutput>;
