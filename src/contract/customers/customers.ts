import { z } from 'zod';
import { brlOutput } from '../amounts.ts';
import { optional } from '../codecs.ts';
import { instantOutput, textInput, uuidInput } from '../fields.ts';
import { listedTransaction } from '../transactions/transactions.ts';

/** Panel only: who pays the account, by the documents of its charges and invoices. */

const TEXT_LENGTH_MAX = 200;

export const customerListInput = z.object({
  /** A whole document or telephone, or words of a name, an e-mail or a description. */
  text: optional(textInput(TEXT_LENGTH_MAX).transform((text) => text.trim() || null)),
  /** The next_cursor of the page before. */
  cursor: optional(uuidInput),
});

const customer = z.object({
  /** The oldest of their transactions that is here; each of them names the customer. */
  customer_id: z.uuid(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Masked, like every person's number on a page. */
  document: z.string(),
  document_type: z.enum(['cpf', 'cnpj']).nullable(),
  phone: z.string().nullable(),
  /** Of all their transactions, those that they paid, in whole or in part. */
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
  next_cursor: z.uuid().nullable(),
  /** A search that found more customers than it shows. */
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
