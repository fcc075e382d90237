import { onBehalfOf } from '#db/accounts/account-context.ts';

/** Runs work for an account within the account's share of the database connections. */
export const runForAccount = <T>(accountId: string, work: () => T): T => onBehalfOf(accountId, work);
