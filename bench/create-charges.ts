import { chargeRequest } from './operations.ts';
import { send } from './same-work.ts';

/** How many charges are asked for their status, in turn: a single one would be a single hot row. */
const CHARGES = 50;

/** Creates the charges whose status a bench asks for. Returns the ids of their transactions. */
export async function createCharges(url: string, apiKey: string): Promise<string[]> {
  const transactionIds: string[] = [];
  for (let charge = 0; charge < CHARGES; charge++) {
    const { data } = (await send(url, chargeRequest(apiKey))) as { data: { transaction_id: string } };
    transactionIds.push(data.transaction_id);
  }
  return transactionIds;
}
