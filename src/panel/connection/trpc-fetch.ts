import type { getFetch } from '@trpc/client';
import { observedFetch } from './observed-fetch.ts';

/**
 * `observedFetch` for tRPC's links. tRPC passes a signal also where it has none, which the type of
 * `fetch` does not allow.
 */
export const trpcFetch: ReturnType<typeof getFetch> = (input, { signal, ...init } = {}) =>
  observedFetch(input, signal ? { ...init, signal } : init);
