import type { z } from 'zod';
import type { transactionListInput } from '#contract/transactions/transactions.ts';
import type { ListInput } from '#services/transactions/list-transactions.ts';

/** The filter of a list or a file of transactions, from its input. */
export const transactionFilters = (
  input: z.output<typeof transactionListInput>,
): Omit<ListInput, 'cursor' | 'limit'> => ({
  types: input.type,
  statuses: input.status,
  displayStatuses: input.display_status,
  from: input.from,
  to: input.to,
  paidFrom: input.paid_from,
  paidTo: input.paid_to,
  minCentavos: input.min_amount,
  maxCentavos: input.max_amount,
  text: input.text,
  reference: input.reference,
  metadata: input.metadata,
});
