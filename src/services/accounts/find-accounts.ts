import { type FoundAccount, searchAccounts } from '#db/accounts/search-accounts.ts';
import { findBalances } from '#db/ledger/ledger.ts';
import { listMembers } from '#db/members/memberships.ts';
import { LIMIT_NAMES } from '#domain/accounts/limits.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';
import { getLimits } from './get-limits.ts';

/** A screen of accounts. */
const PAGE = 50;

/**
 * The operator's list of accounts, newest first, page by page: by a part of the merchant's name or
 * e-mail, or by the id of account or merchant.
 */
export async function findAccounts(
  { db }: Pick<Deps, 'db'>,
  { text, suspended, before }: { text: string; suspended: boolean; before: string | null },
): Promise<{ accounts: FoundAccount[]; next: string | null }> {
  const typed = text.trim();
  const id = isUuid(typed) ? typed.toLowerCase() : null;
  const found = await searchAccounts(db, { text: typed, id, suspended, before, limit: PAGE + 1 });
  const accounts = found.slice(0, PAGE);
  return { accounts, next: found.length > PAGE ? (accounts.at(-1)?.id ?? null) : null };
}

/** An account as its operator sees it. Errors (DomainError): not_found. */
export async function getAccountAsOperator(deps: Deps, id: string) {
  const { accounts } = await findAccounts(deps, { text: id, suspended: false, before: null });
  const account = accounts.find((one) => one.id === id);
  const balances = account && (await findBalances(deps.db.pool, id));
  if (!account || !balances) throw new DomainError('not_found');
  const [members, { limits }] = await Promise.all([listMembers(deps.db, account.merchantId), getLimits(deps, id)]);
  return { account, balances, members, limits: LIMIT_NAMES.map((name) => ({ name, centavos: limits[name] })) };
}
