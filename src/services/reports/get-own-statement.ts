import { getBalance } from '../accounts/get-balance.ts';
import type { Deps } from '../deps.ts';
import { getStatementPage, type StatementPage, type StatementQuery } from './get-statement.ts';

/**
 * A page of an account's statement for a caller with an API key. Each entry has the balance after
 * it, so a caller who may not see the balance may not see this either. Errors: kyc_not_approved
 * (live only; with kyc_status).
 */
export async function getOwnStatement(
  deps: Deps,
  accountId: string,
  { limit, ...query }: StatementQuery & { cursor: bigint | null; limit: number },
): Promise<StatementPage> {
  await getBalance(deps, accountId);
  return getStatementPage(deps, accountId, query, limit);
}
