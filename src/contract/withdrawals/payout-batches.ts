import { z } from 'zod';
import { fieldIssue } from '#domain/errors/issues.ts';
import { TRANSACTION_STATUSES } from '#domain/transactions/transaction-states.ts';
import { AMOUNT_CENTAVOS_MAX, formatBrl } from '#domain/values/money.ts';
import { BATCH_STATES } from '#domain/withdrawals/batch-state.ts';
import { type BatchCells, parsePayoutBatch } from '#domain/withdrawals/payout-batch.ts';
import { brlOutput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';
import { fieldIssuesOf, issue } from '../issues/issue-message.ts';
import { pixKeyTypeOutput, pixWithdrawalInput } from './pix-withdrawal.ts';

/** Panel only: PIX withdrawals of one file. */

/** Stands for an invalid amount, so that the other fields are read all the same. */
const ANY_AMOUNT = 1;

const TOO_LARGE = fieldIssue('amount', 'amount_too_large', { max: formatBrl(AMOUNT_CENTAVOS_MAX) });

/** Reads a row as the input of a single withdrawal: its fields, or its issues. */
function readRow({ amount, ...cells }: BatchCells) {
  const isAmount = typeof amount === 'number';
  const read = pixWithdrawalInput.safeParse({ ...cells, amount: isAmount ? amount : ANY_AMOUNT });
  const issues = read.success ? [] : fieldIssuesOf(read.error);
  if (!isAmount) return [amount === 'too_large' ? TOO_LARGE : fieldIssue('amount', 'not_amount'), ...issues];
  if (!read.success) return issues;
  const { amount: amountCentavos, pixKey, pixKeyType, description, merchantFields } = read.data;
  return { amountCentavos, pixKey, pixKeyType, description, reference: merchantFields.reference };
}

/** The text of the file. */
export const payoutBatchInput = z
  .object({ file: z.string({ error: issue('not_text') }) })
  .transform(({ file }) => parsePayoutBatch(file, readRow));

export const batchInput = z.object({ batch_id: z.string() });

/** The effect of a file. A file with issues has none; its figures are those of the other rows. */
export const batchPreviewOutput = z.object({
  issues: z.array(
    z.object({
      line: z.int(),
      /** Null: the line itself. */
      column: z.string().nullable(),
      issue: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
  count: z.int(),
  amount: brlOutput,
  fees: brlOutput,
  total: brlOutput,
  available: brlOutput,
  /** As of a withdrawal's preview. */
  at_own_provider: brlOutput,
  /** The limits that the sum would pass now, with what they leave: the rows above them fail. */
  passed_limits: z.array(
    z.object({ name: z.enum(['daily', 'night']), left: brlOutput, ends_at: instantOutput.nullable() }),
  ),
  /** Whether a second person has to approve it. */
  needs_approval: z.boolean(),
  /** The account's batch of these rows; null: there is none. */
  batch_id: z.uuid().nullable(),
});

export type BatchPreview = z.input<typeof batchPreviewOutput>;

/** `is_new` false: these rows were a batch before, and nothing was done. */
export const madeBatchOutput = z.object({ batch_id: z.uuid(), is_new: z.boolean() });

const batch = z.object({
  batch_id: z.uuid(),
  state: z.enum(BATCH_STATES),
  count: z.int(),
  amount: brlOutput,
  made_by: z.string().nullable(),
  made_at: instantOutput,
});

export const batchesOutput = z.object({ batches: z.array(batch) });

export type BatchListItem = z.input<typeof batch>;

const share = z.object({ count: z.int(), amount: brlOutput });

export const batchOutput = batch.extend({
  /** Whether this member made it. */
  own: z.boolean(),
  /** Null: it needed no second person. */
  decide_until: instantOutput.nullable(),
  decided_by: z.string().nullable(),
  decided_at: instantOutput.nullable(),
  sums: z.object({ sent: share, failed: share, open: share }),
  rows: z.array(
    z.object({
      number: z.int(),
      amount: brlOutput,
      pix_key: z.string(),
      pix_key_type: pixKeyTypeOutput,
      description: z.string().nullable(),
      reference: z.string().nullable(),
      /** The error for which it was rejected. */
      failure: z.string().nullable(),
      /** Its withdrawal; null: there is none, or not yet. */
      transaction: z
        .object({
          transaction_id: z.uuid(),
          status: z.enum(TRANSACTION_STATUSES),
          sub_status: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
});

export type BatchView = z.input<typeof batchOutput>;
