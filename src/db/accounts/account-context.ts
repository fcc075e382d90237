import { AsyncLocalStorage } from 'node:async_hooks';

const accounts = new AsyncLocalStorage<string>();

/**
 * Runs `work` on behalf of an account: its queries get no more connections than that account's
 * share of the pool (`perAccount` of createPool).
 */
export const onBehalfOf = <T>(accountId: string, work: () => T): T => accounts.run(accountId, work);

/** The id of the account that the current work is for; undefined when it is for none. */
export const currentAccount = (): string | undefined => accounts.getStore();
