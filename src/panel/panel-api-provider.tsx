import { onlineManager, QueryClientProvider } from '@tanstack/react-query';
import { httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import { type ReactNode, useState } from 'react';
import { BATCH_CALLS_MAX } from '#contract/batch-calls-max.ts';
import { api } from './api.tsx';
import { connection } from './connection/connection.ts';
import { createQueryClient } from './connection/create-query-client.ts';
import { trpcFetch } from './connection/observed-fetch.ts';
import { accountHeaders } from './page-account.ts';
import { reasonOf } from './shell/call-error.ts';
import { confirmationLink } from './shell/confirmation-link.ts';
import { askConfirmation } from './shell/confirmations.tsx';
import { goToSignIn } from './shell/sign-in-address.ts';

/** A page reads many things at once, but no address may become longer than proxies accept. */
const URL_LENGTH_MAX = 2_000;
/**
 * Data younger than this is not read again; older data is shown at once and refreshed behind it.
 */
const FRESH_MS = 5_000;

// A query that can't be read while the service is away waits, and is read when it is there again.
onlineManager.setEventListener((setOnline) => connection.subscribe(() => setOnline(connection.isReachable())));

/**
 * Provides the panel's client of one mode. It leaves for the sign-in when the session has ended,
 * and for the home page when another tab has chosen another merchant.
 */
export function PanelApiProvider({ mode, children }: { mode: 'live' | 'test'; children: ReactNode }) {
  const [queryClient] = useState(() => createQueryClient({ freshMs: FRESH_MS, onError: leaveWhenSignedOut }));
  const [client] = useState(() => {
    const url = `/api/trpc/${mode}`;
    return api.createClient({
      links: [
        confirmationLink(askConfirmation),
        splitLink({
          condition: (op) => op.type === 'subscription',
          true: httpSubscriptionLink({ url }),
          false: splitLink({
            // An idempotency key belongs to one call, so that call is sent alone.
            condition: (op) => op.context.idempotencyKey !== undefined,
            true: httpLink({
              url,
              fetch: trpcFetch,
              headers: ({ op }) => ({ ...accountHeaders(mode), 'idempotency-key': String(op.context.idempotencyKey) }),
            }),
            false: httpBatchLink({
              url,
              fetch: trpcFetch,
              headers: () => accountHeaders(mode),
              maxURLLength: URL_LENGTH_MAX,
              maxItems: BATCH_CALLS_MAX,
            }),
          }),
        }),
      ],
    });
  });
  return (
    <api.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </api.Provider>
  );
}

function leaveWhenSignedOut(error: unknown): void {
  const reason = reasonOf(error);
  if (reason === 'not_signed_in') goToSignIn();
  // Another tab has chosen another merchant: this page would show the one and act for the other.
  if (reason === 'other_account') window.location.assign('/');
}
