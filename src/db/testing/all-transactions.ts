import type { TransactionFilter } from '../transactions/transaction-filter.ts';

/** The filter of a list that leaves nothing out. */
export const ALL_TRANSACTIONS: Omit<TransactionFilter, 'limit'> = {
  types: [],
  statuses: [],
  displayStatuses: [],
  from: null,
  to: null,
  paidFrom: null,
  paidTo: null,
  minCentavos: null,
  maxCentavos: null,
  text: null,
  reference: null,
  metadata: null,
  before: null,
};
