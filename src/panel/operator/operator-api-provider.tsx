import { QueryClientProvider } from '@tanstack/react-query';
import { httpBatchLink } from '@trpc/client';
import { type ReactNode, useState } from 'react';
import { BATCH_CALLS_MAX } from '#contract/batch-calls-max.ts';
import { createQueryClient } from '#panel/connection/create-query-client.ts';
import { trpcFetch } from '#panel/connection/observed-fetch.ts';
import { reasonOf } from '#panel/shell/call-error.ts';
import { confirmationLink } from '#panel/shell/confirmation-link.ts';
import { goToSignIn } from '#panel/shell/sign-in-address.ts';
import { askCode } from './ask-code.ts';
import { operatorApi } from './operator-api.tsx';

/** Short, so that what operators decide about is read again when a page is opened. */
const FRESH_MS = 2_000;

/** Provides the console's client, and goes to the sign-in when the session has ended. */
export function OperatorApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => createQueryClient({ freshMs: FRESH_MS, onError: leaveWhenSignedOut }));
  const [client] = useState(() =>
    operatorApi.createClient({
      links: [
        confirmationLink(askCode),
        httpBatchLink({ url: '/operator/api/trpc', fetch: trpcFetch, maxItems: BATCH_CALLS_MAX }),
      ],
    }),
  );
  return (
    <operatorApi.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </operatorApi.Provider>
  );
}

function leaveWhenSignedOut(error: unknown): void {
  if (reasonOf(error) === 'not_signed_in') goToSignIn('/operator/entrar');
}
