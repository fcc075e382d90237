import { AsyncLocalStorage } from 'node:async_hooks';

/** Says to the sandbox by whose test clock it is to answer. */
const CLOCK_HEADER = 'x-sandbox-clock';

const current = new AsyncLocalStorage<string>();

/** Asks the sandbox, in `work`, by the test clock of an account. */
export const askingByClock = <T>(accountId: string, work: () => T): T => current.run(accountId, work);

/** What a request says of the clock: nothing for another provider than the sandbox. */
export function sandboxClockHeader(): Record<string, string> {
  const accountId = current.getStore();
  return accountId === undefined ? {} : { [CLOCK_HEADER]: accountId };
}
