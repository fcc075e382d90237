import type { BetterAuthPlugin, DBAdapter } from 'better-auth';
import { isUnavailable } from '../health/is-unavailable.ts';
import { currentAuthRequest } from './auth-request.ts';

/**
 * Wraps better-auth's adapter so that a database that is unavailable ends the request, which is
 * answered so (ask-better-auth.ts). better-auth goes on after many an error of its adapter: it
 * takes a session for none, a passkey or a code for a wrong one, and one that it could not end for
 * ended.
 */
export function databaseFailures(): BetterAuthPlugin {
  return {
    id: 'database-failures',
    init: ({ adapter }) => ({ context: { adapter: failing(adapter) } }),
  };
}

const failing = (adapter: DBAdapter): DBAdapter =>
  Object.fromEntries(
    Object.entries(adapter).map(([name, part]) => [
      name,
      typeof part === 'function' ? (...asked: unknown[]) => attempt(() => Reflect.apply(part, adapter, asked)) : part,
    ]),
  ) as DBAdapter;

/** Nothing is asked any more after a failure, so that nothing else is done of the request. */
async function attempt(ask: () => unknown): Promise<unknown> {
  const failure = currentAuthRequest()?.failure;
  if (failure) throw failure;
  try {
    return await ask();
  } catch (error) {
    if (isUnavailable(error)) keepFailure(error);
    throw error;
  }
}

/** Keeps an error that better-auth does not pass on, for the answer to the request. */
export function keepFailure(error: unknown): void {
  const request = currentAuthRequest();
  if (request) request.failure ??= error;
}
