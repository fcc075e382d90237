import { ACCOUNT_HEADER } from '#contract/account-header.ts';

/** The account of this tab's page, once it is known. */
let accountId: string | null = null;

/** Notes which account the page shows; on the server, where all pages are made, nothing. */
export function setPageAccount(id: string): void {
  if (typeof window !== 'undefined') accountId = id;
}

/** Says with a call which account it is meant for. */
export const accountHeaders = (): Record<string, string> => (accountId === null ? {} : { [ACCOUNT_HEADER]: accountId });
