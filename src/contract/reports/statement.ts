import { z } from 'zod';
import { CSV_FORMATS } from '#domain/reports/csv.ts';
import { ENTRY_NAMES, STATEMENT_BALANCES } from '#domain/reports/statement-entry.ts';
import { periodIssue } from '#domain/reports/statement-period.ts';
import { LISTED_TYPES } from '#domain/transactions/transaction-states.ts';
import { brlOutput } from '../amounts.ts';
import { optional } from '../codecs.ts';
import { countText, instantOutput } from '../fields.ts';
import { messageOf } from '../issues/issue-message.ts';

const period = { balance: z.enum(STATEMENT_BALANCES), from: z.string(), to: z.string() };

const checkPeriod = (days: { from: string; to: string }, context: z.core.$RefinementCtx): void => {
  const found = periodIssue(days);
  if (found) context.addIssue({ code: 'custom', path: [found.field], message: messageOf(found) });
};

/**
 * Panel only: a page of the entries of one balance, newest first. Days are São Paulo's,
 * `2026-11-21`, the last included.
 */
export const statementInput = z
  .object({
    ...period,
    /** The next_cursor of the page before. */
    cursor: optional(countText),
  })
  .superRefine(checkPeriod);

/** BRL. opening + credits + debits = closing. */
export const statementOutput = z.object({
  /** With the first page only. */
  summary: z
    .object({
      opening: brlOutput,
      credits: brlOutput,
      /** Negative. */
      debits: brlOutput,
      closing: brlOutput,
      entries: z.number(),
    })
    .nullable(),
  entries: z.array(
    z.object({
      /** Its number in the balance, from 1, without a gap. */
      number: countText,
      name: z.enum(ENTRY_NAMES),
      /** The day that it counts on. */
      day: z.iso.date(),
      at: instantOutput,
      amount: brlOutput,
      balance_after: brlOutput,
      /**
       * Already taken off what came in, or included in what goes out; negative: included in what
       * comes back; null: none.
       */
      fee: brlOutput.nullable(),
      /** Of a part of another account's charge: the account's own row for it. */
      transaction: z
        .object({
          id: z.uuid(),
          type: z.enum(LISTED_TYPES),
          description: z.string().nullable(),
          customer_name: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
  next_cursor: countText.nullable(),
});

export type StatementPageView = z.input<typeof statementOutput>;

/** The query of a statement's file. */
export const statementFileInput = z
  .object({ ...period, format: z.enum(CSV_FORMATS).default('pt-BR') })
  .superRefine(checkPeriod);
