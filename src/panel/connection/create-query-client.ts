import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { reasonOf } from '#panel/shell/call-error.ts';

/**
 * The data of the panel's pages, or of the console's. `onError` gets the error of every call, also
 * of those whose page shows it; data younger than `freshMs` is not read again.
 */
export const createQueryClient = ({ freshMs, onError }: { freshMs: number; onError: (error: unknown) => void }) =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    // Not a default of each mutation, which a mutation's own would replace.
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // A rejection is final; a call that did not arrive is worth two more tries.
      queries: { staleTime: freshMs, retry: (failures, error) => failures < 2 && reasonOf(error) === null },
      // One that can't be sent fails: kept until the line is back, it would be carried out after
      // its dialog was cancelled.
      mutations: { networkMode: 'always' },
    },
  });
