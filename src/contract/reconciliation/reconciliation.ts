import { z } from 'zod';
import { CSV_FORMATS } from '#domain/reports/csv.ts';
import { brlOutput } from '../amounts.ts';
import { instantOutput, uuidInput } from '../fields.ts';

/**
 * Panel only: what the account's own PSP has of each day, beside what was booked here. Amounts in
 * BRL; a difference is the PSP's less ours.
 */

const figures = z.object({
  opening: brlOutput,
  received: brlOutput,
  returned: brlOutput,
  sent: brlOutput,
  closing: brlOutput,
});

const day = z.object({
  day_id: z.uuid(),
  day: z.iso.date(),
  /** Tells the days of several credentials apart. */
  rail: z.string(),
  /** Null: it is compared in the night after it, and its figures say nothing yet. */
  checked_at: instantOutput.nullable(),
  /** Whether all of the day was compared. */
  whole: z.boolean(),
  psp: figures,
  ledger: figures,
  /** What the PSP said of its balance at the end of the day. */
  balance: brlOutput.nullable(),
  /** What of it no list of the PSP has. */
  unlisted: brlOutput,
  /** What both have, on different days. */
  other_days: brlOutput,
  /** What nothing explains, each difference without its sign. */
  unexplained: brlOutput,
  unreadable: z.number(),
  item_count: z.number(),
});

const item = z.object({
  reason: z.enum(['missing_here', 'missing_there', 'other_amount', 'other_day', 'before']),
  kind: z.enum(['payment', 'refund', 'payout']),
  /** Unique among the day's items of its kind. */
  key: z.string(),
  end_to_end_id: z.string().nullable(),
  psp_amount: brlOutput.nullable(),
  ledger_amount: brlOutput.nullable(),
  psp_at: instantOutput.nullable(),
  ledger_at: instantOutput.nullable(),
  transaction_id: z.uuid().nullable(),
});

/** The last day of the page before, and its rail. */
const CURSOR = /^(\d{4}-\d\d-\d\d) ([\w-]{1,80})$/;

export const reconciliationListInput = z.object({
  cursor: z
    .string()
    .regex(CURSOR)
    .nullish()
    .transform((text) => {
      const [, cursorDay = '', rail = ''] = CURSOR.exec(text ?? '') ?? [];
      return cursorDay === '' ? null : { day: cursorDay, rail };
    }),
});

export const reconciliationListOutput = z.object({ days: z.array(day), next_cursor: z.string().nullable() });

export const reconciliationDayInput = z.object({ day_id: uuidInput });

/** The first items that differ, those that nothing explains before the others. */
export const reconciliationDayOutput = z.object({ day, items: z.array(item) });

/** The query of the files; without a day the items of all of them. */
export const reconciliationFileInput = z.object({
  format: z.enum(CSV_FORMATS).default('pt-BR'),
  day_id: uuidInput.optional(),
});

export type ReconciledDayView = z.input<typeof day>;
export type ReconciliationItemView = z.input<typeof item>;
