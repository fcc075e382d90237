import { z } from 'zod';
import { LISTED_TYPES, TRANSACTION_STATUSES } from '#domain/transactions/transaction-states.ts';
import { brlOutput } from '../amounts.ts';
import { instantOutput, textInput } from '../fields.ts';

/** Longer than any identifier or name. */
const TEXT_LENGTH_MAX = 200;

export const searchInput = z.object({ text: textInput(TEXT_LENGTH_MAX) });

/** `title`: whom or what it is about. */
export const searchOutput = z.object({
  data: z.array(
    z.object({
      id: z.uuid(),
      type: z.enum(LISTED_TYPES),
      status: z.enum(TRANSACTION_STATUSES),
      /** As the list shows it: negative where money leaves. */
      amount: brlOutput,
      title: z.string(),
      created_at: instantOutput,
    }),
  ),
});
