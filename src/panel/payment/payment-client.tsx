'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PaymentPageData } from '#contract/charges/payment-page.ts';

/** A phone that comes back from the bank's app may hold a dead connection: give up on it, the next poll opens another. */
const REQUEST_TIMEOUT_MS = 5_000;

/** The server refused; `data.code` says how (NOT_FOUND, BAD_REQUEST). */
export class AskError extends Error {
  readonly data: { code: string };

  constructor(code: string) {
    super(code);
    this.data = { code };
  }
}

/**
 * Asks what a payment page shows. The one procedure that a payer's phone calls, by tRPC's own HTTP (trpc.io/docs/rpc) instead of its
 * client: that one is 14 kB of JavaScript (gzip), and a payment page has 180 kB in all. Errors: AskError, and what fetch throws.
 */
export async function askPayment(transactionId: string): Promise<PaymentPageData> {
  const input = encodeURIComponent(JSON.stringify({ transactionId }));
  const response = await fetch(`/api/trpc/payment.get?input=${input}`, {
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const answer = (await response.json()) as Answer;
  if (answer.result) return answer.result.data;
  throw new AskError(answer.error?.data?.code ?? 'INTERNAL_SERVER_ERROR');
}

type Answer = { result?: { data: PaymentPageData }; error?: { data?: { code?: string } } };

/** Keeps what the page has been told. */
export function PaymentProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => new QueryClient());
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
