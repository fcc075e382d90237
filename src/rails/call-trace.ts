import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * One HTTP call to a provider about a transaction, unmasked: with documents, keys and names in it.
 * For the recorder, which masks what it keeps; never for a log.
 */
export type ProviderCall = {
  transactionId: string;
  rail: string;
  /** The call of the port that it belongs to, e.g. `createCharge`. */
  operation: string;
  method: string;
  /** Host and path, without the query. */
  target: string;
  /** `null`: no complete answer came. */
  status: number | null;
  durationMs: number;
  /**
   * What was sent, as JSON text or as the members of a query without the key; `null` for nothing.
   */
  request: string | Record<string, string> | null;
  /** What came back; undefined where it was no JSON. */
  response: unknown;
  /** Secrets that a provider may quote and that must not be stored. */
  secrets: readonly string[];
};

export type OnProviderCall = (exchange: ProviderCall) => void;

type CallTrace = { transactionId: string; rail: string; operation: string; onProviderCall: OnProviderCall };

const subjects = new AsyncLocalStorage<string>();
const calls = new AsyncLocalStorage<CallTrace>();

/**
 * Names the transaction that the calls in `work` are about: some of them do not name it themselves.
 */
export const aboutTransaction = <T>(transactionId: string, work: () => T): T => subjects.run(transactionId, work);

/**
 * Reports the calls in `work` to `onProviderCall`. `ownId`: the transaction that the request itself
 * names, if it names one. Without a transaction or a listener nothing is reported.
 */
export function traceCall<T>(
  call: { rail: string; operation: string; ownId: string | null; onProviderCall: OnProviderCall | undefined },
  work: () => T,
): T {
  const { rail, operation, ownId, onProviderCall } = call;
  const transactionId = subjects.getStore() ?? ownId;
  if (!onProviderCall || transactionId === null) return work();
  return calls.run({ transactionId, rail, operation, onProviderCall }, work);
}

/** Reports a call that has just ended, if there is a listener. */
export function recordProviderCall(exchange: Omit<ProviderCall, 'transactionId' | 'rail' | 'operation'>): void {
  const call = calls.getStore();
  if (!call) return;
  const { onProviderCall, ...about } = call;
  onProviderCall({ ...about, ...exchange });
}
