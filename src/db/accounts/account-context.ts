import { AsyncLocalStorage } from 'node:async_hooks';

const accounts = new AsyncLocalStorage<string>();

/**
 * Does work of an account: a pool that is shared fairly gives one account no more than its part
 * (pool.ts).
 */
export const onBehalfOf = <T>(accountId: string, work: () => T): T => accounts.run(accountId, work);

/** Whose work is being done; undefined: nobody's in particular. */
export const currentAccount = (): string | undefined => accounts.getStore();
