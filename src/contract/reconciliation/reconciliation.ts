import { z } from 'zod';
import { CSV_FORMATS } from '#domain/reports/csv.ts';
import { brlOutput } from '../amounts.ts';
import { instantOutput, uuidInput } from '../fields.ts';
import { reasonInput } from '../operator/accounts.ts';

/** Of SHA-256, in hexadecimal digits. */
const DIGEST_LENGTH = 64;

/**
 * Panel only: the provider's figures of each day beside those that were booked here. A difference
 * is the provider's figure less ours.
 */

/** A decimal text in the day's currency. */
const amount = z.string();

const figures = z.object({
  opening: amount,
  received: amount,
  returned: amount,
  sent: amount,
  closing: amount,
});

const day = z.object({
  day_id: z.uuid(),
  day: z.iso.date(),
  /** Distinguishes the days of several credentials. */
  rail: z.string(),
  /** `BRL`, or the code of a coin on its network. */
  currency: z.string(),
  /** The coin itself. */
  asset: z.string(),
  /** Null: it is compared in the night after it, and its figures mean nothing yet. */
  checked_at: instantOutput.nullable(),
  /** Whether all of the day was compared. */
  whole: z.boolean(),
  psp: figures,
  ledger: figures,
  /** The provider's less ours. */
  difference: figures,
  /**
   * Fees of a crypto processor and the network, as the processor reports them; no other figure has
   * them.
   */
  fees: amount,
  /** For coins: the amounts in BRL that were booked here. */
  ledger_brl: z.object({ received: brlOutput, sent: brlOutput }).nullable(),
  /**
   * The balance that a PSP reported for the end of the day, or a crypto processor when it was read.
   */
  balance: amount.nullable(),
  /** By how much the balance changed beyond what the provider's lists explain. */
  unlisted: amount,
  /** What both sides have, on different days. */
  other_days: amount,
  /** The sum of the unexplained differences, each without its sign. */
  unexplained: amount,
  unreadable: z.number(),
  item_count: z.number(),
  /** Identifies what nothing explains: another text where anything of it is another. */
  differences: z.string().nullable(),
  /** That an operator knows of it, and why; null while none has said so. */
  acknowledged: z.object({ at: instantOutput, reason: z.string() }).nullable(),
});

const item = z.object({
  reason: z.enum(['missing_here', 'missing_there', 'other_amount', 'other_day', 'before', 'foreign', 'remainder']),
  kind: z.enum(['payment', 'refund', 'payout']),
  /** Unique among the day's items of its kind. */
  key: z.string(),
  end_to_end_id: z.string().nullable(),
  psp_amount: amount.nullable(),
  ledger_amount: amount.nullable(),
  ledger_brl: brlOutput.nullable(),
  psp_at: instantOutput.nullable(),
  ledger_at: instantOutput.nullable(),
  transaction_id: z.uuid().nullable(),
});

/** The last day of the page before, its rail and its currency. */
const CURSOR = /^(\d{4}-\d\d-\d\d) ([\w-]{1,80}) (\w{1,20})$/;

export const reconciliationListInput = z.object({
  cursor: z
    .string()
    .regex(CURSOR)
    .nullish()
    .transform((text) => {
      const [, cursorDay = '', rail = '', currency = ''] = CURSOR.exec(text ?? '') ?? [];
      return cursorDay === '' ? null : { day: cursorDay, rail, currency };
    }),
});

export const reconciliationListOutput = z.object({ days: z.array(day), next_cursor: z.string().nullable() });

export const reconciliationDayInput = z.object({ day_id: uuidInput });

/** `differences`: those that the page has shown. */
export const acknowledgeInput = z.object({
  day_id: uuidInput,
  differences: z.string().max(DIGEST_LENGTH),
  reason: reasonInput,
});

/** The first items that differ, the unexplained ones first. */
export const reconciliationDayOutput = z.object({ day, items: z.array(item) });

/** The query of the files; without a day the items of all of them. */
export const reconciliationFileInput = z.object({
  format: z.enum(CSV_FORMATS).default('pt-BR'),
  day_id: uuidInput.optional(),
});

export type ReconciledDayView = z.input<typeof day>;
export type ReconciliationItemView = z.input<typeof item>;
