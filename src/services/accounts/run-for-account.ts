import { onBehalfOf } from '#db/accounts/account-context.ts';

/** Does work of an account, which then takes no more than the account's part of the connections. */
export const runForAccount = <T>(accountId: string, work: () => T): T => onBehalfOf(accountId, work);
