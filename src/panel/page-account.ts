import { ACCOUNT_HEADER } from '#contract/account-header.ts';

type Mode = 'live' | 'test';

/** The account of this tab's page in each mode, once it is known: each has its own. */
const accountIds = new Map<Mode, string>();

/** Notes which account the page shows; on the server, where all pages are made, nothing. */
export function setPageAccount(mode: Mode, id: string): void {
  if (typeof window !== 'undefined') accountIds.set(mode, id);
}

/** Says with a call which account it is meant for. */
export function accountHeaders(mode: Mode): Record<string, string> {
  const accountId = accountIds.get(mode);
  return accountId === undefined ? {} : { [ACCOUNT_HEADER]: accountId };
}
