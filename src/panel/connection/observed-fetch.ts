import type { getFetch } from '@trpc/client';
import { type Connection, connection, isAborted, isAway } from './connection.ts';
import { noteBuild } from './outdated.ts';
import { noteServiceTime } from './service-clock.ts';
import { sentInSession } from './session-change.ts';

/** After so many tries a navigation that fails although the service is there is left to Next. */
const TRIES_MAX = 5;

type Fetch = typeof globalThis.fetch;

/**
 * `fetch` for the panel's calls. It resolves and throws as usual; a failure without a response, or
 * a status that means that the service is away, starts the checks of the connection. A read that is
 * rejected because its session was just replaced is sent again.
 */
export const observedFetch: Fetch = async (input, init) => {
  try {
    const answer = await fetchInSession(input, init);
    if (isAway(answer.status)) void connection.check();
    return answer;
  } catch (error) {
    if (!isAborted(error)) void connection.check();
    throw error;
  }
};

/** The same for tRPC, which passes a signal also where it has none: `fetch`'s type has no such. */
export const trpcFetch: ReturnType<typeof getFetch> = async (input, { signal, ...init } = {}) => {
  const sentAt = Date.now();
  const answer = await observedFetch(input, signal ? { ...init, signal } : init);
  noteServiceTime(answer, sentAt);
  return answer;
};

const fetchInSession = sentInSession((input, init) => fetch(input, init));

/**
 * Wraps a `fetch` so that Next's navigations wait for a service that is away. Alone, Next goes to
 * the address when it can't fetch a page's parts: the browser shows its own error page, and
 * everything on the page is lost.
 */
export function waitingFetch(fetch: Fetch, { check }: Pick<Connection, 'check'>): Fetch {
  return async (input, init) => {
    const kind = kindOf(init);
    if (kind === 'other') return fetch(input, init);
    for (let tries = 1; ; tries++) {
      const isLast = kind === 'prefetch' || tries === TRIES_MAX;
      try {
        const answer = await fetch(input, init);
        if (!isAway(answer.status)) return answer;
        if (isLast) return answer;
      } catch (error) {
        if (isAborted(error)) throw error;
        if (isLast) {
          void check();
          throw error;
        }
      }
      await check();
    }
  };
}

/** Distinguishes what Next fetches by its plain headers. */
function kindOf(init: RequestInit | undefined): 'navigation' | 'prefetch' | 'other' {
  const headers = (init?.headers ?? {}) as Record<string, string>;
  if (headers.rsc !== '1') return 'other';
  return Object.keys(headers).some((name) => name.includes('prefetch')) ? 'prefetch' : 'navigation';
}

if (typeof window !== 'undefined') {
  const fetch = window.fetch.bind(window);
  const noting: Fetch = async (input, init) => {
    const answer = await fetch(input, init);
    noteBuild(answer);
    return answer;
  };
  window.fetch = waitingFetch(noting, connection);
}
