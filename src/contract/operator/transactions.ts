import { z } from 'zod';
import { isDay } from '#domain/reports/statement-period.ts';
import { DISPLAY_STATUSES } from '#domain/transactions/display-status.ts';
import { LISTED_TYPES } from '#domain/transactions/transaction-states.ts';
import { brlOutput, unitsOutput } from '../amounts.ts';
import { optional } from '../codecs.ts';
import { instantOutput, textInput, uuidInput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';
import { providerCallOutput, transactionDetailOutput } from '../transactions/transaction-detail.ts';
import { listedTransaction } from '../transactions/transactions.ts';

/** How many transactions a page has. */
const PAGE = 50;
/** As long as the panel's. */
const TEXT_LENGTH_MAX = 200;

const day = z
  .string({ error: issue('not_day') })
  .refine((text) => text === '' || isDay(text), { error: issue('not_day') })
  .optional()
  .transform((text) => text || null);

/** Whose it is. */
const owner = {
  account_id: z.string(),
  merchant_name: z.string(),
  mode: z.enum(['live', 'test']),
};

export const operatorTransactionsInput = z.object({
  /** Absent: of every account. */
  account_id: optional(uuidInput),
  type: optional(z.enum(LISTED_TYPES)),
  status: optional(z.enum(DISPLAY_STATUSES)),
  /** Days of São Paulo, both included. */
  from: day,
  to: day,
  /** Of every account: ids, txids, end-to-end ids, providers' ids and wallets alone. */
  text: textInput(TEXT_LENGTH_MAX)
    .optional()
    .transform((text) => text?.trim() || null),
  /** The next_cursor of the page before. */
  cursor: optional(uuidInput),
  limit: z.int().min(1).max(PAGE).default(PAGE),
});

const transactionOfAccount = listedTransaction.extend(owner);

export const operatorTransactionsOutput = z.object({
  transactions: z.array(transactionOfAccount),
  next_cursor: z.string().nullable(),
});

export const operatorTransactionInput = z.object({ transaction_id: z.string().max(TEXT_LENGTH_MAX) });
/** As the account's own members see it. */
export const operatorTransactionOutput = z.object({ ...owner, detail: transactionDetailOutput });

const payout = z.object({
  ...owner,
  transaction_id: z.string(),
  type: z.enum(['pix_out', 'crypto_out']),
  amount: brlOutput,
  currency: z.string().nullable(),
  crypto_amount: unitsOutput.nullable(),
  rail: z.string(),
  /** `not_sent`: nothing left so far. `sending`: whoever sent it did not see the answer. */
  step: z.enum(['not_sent', 'sending', 'unknown', 'sent']),
  since: instantOutput,
  /** When its provider is asked next, by itself. */
  next_at: instantOutput,
  attempts: z.int(),
  /** Why the last question had no answer; null: it had one. */
  error: z.string().nullable(),
  /** From when on a provider that has nothing of it never had it; null: that is never concluded. */
  lost_at: instantOutput.nullable(),
  calls: z.array(providerCallOutput),
});

/** Payouts whose outcome is unknown, oldest first. */
export const unsettledPayoutsOutput = z.object({ payouts: z.array(payout) });
export type UnsettledPayout = z.input<typeof payout>;
