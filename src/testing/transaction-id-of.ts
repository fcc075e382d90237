import type { Answer } from './test-service.ts';

/** The id of the transaction that an answer of the API is about. */
export const transactionIdOf = ({ body }: Pick<Answer, 'body'>): string =>
  (body.data as { transaction_id: string }).transaction_id;
