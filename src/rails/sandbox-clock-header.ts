import { AsyncLocalStorage } from 'node:async_hooks';

/** Names to the sandbox the account by whose test clock it answers. */
const CLOCK_HEADER = 'x-sandbox-clock';

const current = new AsyncLocalStorage<string>();

/** Makes the calls to the sandbox in `work` go by the test clock of an account. */
export const askingByClock = <T>(accountId: string, work: () => T): T => current.run(accountId, work);

/** Returns the header that names the clock; empty outside of askingByClock. */
export function sandboxClockHeader(): Record<string, string> {
  const accountId = current.getStore();
  return accountId === undefined ? {} : { [CLOCK_HEADER]: accountId };
}
