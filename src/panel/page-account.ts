import { ACCOUNT_HEADER } from '#contract/account-header.ts';

type Mode = 'live' | 'test';

/** The account of this tab in each mode, once it is known. */
const accountIds = new Map<Mode, string>();

/**
 * Stores which account the page shows; does nothing on the server, which makes the pages of all
 * accounts.
 */
export function setPageAccount(mode: Mode, id: string): void {
  if (typeof window !== 'undefined') accountIds.set(mode, id);
}

/** Returns the header that says which account a call is meant for; empty while it is unknown. */
export function accountHeaders(mode: Mode): Record<string, string> {
  const accountId = accountIds.get(mode);
  return accountId === undefined ? {} : { [ACCOUNT_HEADER]: accountId };
}
