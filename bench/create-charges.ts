import { chargeRequest } from './operations.ts';
import { send } from './same-work.ts';

/**
 * So many charges are asked the status of, in turn: one alone would be asked from a single hot row.
 */
const CHARGES = 50;

/** Creates the charges that a bench asks the status of. Returns the ids of their transactions. */
export async function createCharges(url: string, apiKey: string): Promise<string[]> {
  const transactionIds: string[] = [];
  for (let charge = 0; charge < CHARGES; charge++) {
    const { data } = (await send(url, chargeRequest(apiKey))) as { data: { transaction_id: string } };
    transactionIds.push(data.transaction_id);
  }
  return transactionIds;
}
