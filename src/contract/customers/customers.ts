import { z } from 'zod';
import { REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { brlOutput } from '../amounts.ts';
import { optional } from '../codecs.ts';
import { filledTextInput, instantOutput, textInput, uuidInput } from '../fields.ts';
import { listedTransaction } from '../transactions/transactions.ts';

/** Panel only: who pays the account, by the documents of its charges and invoices. */

const TEXT_LENGTH_MAX = 200;

export const customerListInput = z.object({
  /** A whole document or telephone, or words of a name, an e-mail or a description. */
  text: optional(textInput(TEXT_LENGTH_MAX).transform((text) => text.trim() || null)),
  /** The next_cursor of the page before. */
  cursor: optional(z.object({ before: uuidInput, as_of: uuidInput })),
});

const customer = z.object({
  /**
   * The oldest of their transactions that is still stored; the id of any of them identifies the
   * customer.
   */
  customer_id: z.uuid(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Masked, like every person's number on a page. */
  document: z.string(),
  document_type: z.enum(['cpf', 'cnpj']).nullable(),
  phone: z.string().nullable(),
  /** How many of their transactions they paid, in whole or in part. */
  paid_count: z.int(),
  count: z.int(),
  /** What they paid, what of it went back to them, and the difference. */
  paid: brlOutput,
  refunded: brlOutput,
  total: brlOutput,
  first_paid_at: instantOutput.nullable(),
  last_paid_at: instantOutput.nullable(),
  /** When their newest transaction was made. */
  newest_at: instantOutput,
});

export const customerListOutput = z.object({
  customers: z.array(customer),
  /** `as_of`: the newest transaction when the first page was read, by which all are ordered. */
  next_cursor: z.object({ before: z.uuid(), as_of: z.uuid() }).nullable(),
  /** A search that found more customers than it shows, or did not read all that it may find. */
  has_more: z.boolean(),
});

export const customerInput = z.object({ customer_id: z.string() });
export const customerOutput = customer;

export const customerTransactionsInput = customerInput.extend({ cursor: optional(uuidInput) });
export const customerTransactionsOutput = z.object({
  transactions: z.array(listedTransaction),
  next_cursor: z.uuid().nullable(),
});

export type CustomerView = z.input<typeof customer>;

/** A file of everything that is stored about a customer, as its name and its text. */
export const customerFileOutput = z.object({ name: z.string(), text: z.string() });

const erasurePlan = {
  /** How many transactions may be erased now. */
  erasable: z.int(),
  /** How many only from a day on, the nearest first; the day is one of São Paulo. */
  retained: z.array(z.object({ from: z.iso.date(), count: z.int() })),
  /** How long an installation keeps transactions that have moved money. */
  retention_years: z.int(),
};

export const erasurePlanOutput = z.object(erasurePlan);
export type ErasurePlanView = z.input<typeof erasurePlanOutput>;

export const eraseCustomerInput = customerInput.extend({
  /** It is kept for ever. */
  reason: filledTextInput(REASON_LENGTH_MAX).transform((text) => text.trim()),
});

export const erasedCustomerOutput = z.object({
  ...erasurePlan,
  erased: z.int(),
  /** The customer's id from now on; null: none of their transactions is left. */
  customer_id: z.uuid().nullable(),
});
