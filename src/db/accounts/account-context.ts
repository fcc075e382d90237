import { AsyncLocalStorage } from 'node:async_hooks';

const accounts = new AsyncLocalStorage<string>();

/**
 * Does work of an account: a pool that is shared fairly gives one account no more than its part
 * (pool.ts).
 */
export const onBehalfOf = <T>(accountId: string, work: () => T): T => accounts.run(accountId, work);

/** The account whose work is being done; undefined: none in particular. */
export const currentAccount = (): string | undefined => accounts.getStore();
