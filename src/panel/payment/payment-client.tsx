'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import { arrivedAt } from './arrived-at.ts';
import { DrawnQr } from './qr-picture.tsx';

/**
 * A phone between two networks may hold a dead connection: the request gives up, and the next poll
 * opens another.
 */
const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Thrown when the server answers with an error; `data.code` is tRPC's code (NOT_FOUND,
 * BAD_REQUEST).
 */
export class AskError extends Error {
  readonly data: { code: string };

  constructor(code: string) {
    super(code);
    this.data = { code };
  }
}

/**
 * Reads what a payment page shows, by tRPC's own HTTP (trpc.io/docs/rpc) instead of its client:
 * that one is 14 kB of JavaScript (gzip), and a payment page has 180 kB in all. Throws AskError,
 * and what fetch throws.
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

/** The key of a payment in the page's cache. */
export const paymentKey = (transactionId: string) => ['payment', transactionId];

type Props = {
  /** The payment that the page came with; null: it asks by itself. */
  payment: PaymentPageData | null;
  /** The picture of its code. */
  qr: ComponentProps<typeof DrawnQr>['value'];
  children: ReactNode;
};

/** Provides the cache of the page's payment, with the one that it came with, and the drawn code. */
export function PaymentProvider({ payment, qr, children }: Props) {
  const [queryClient] = useState(() => {
    const client = new QueryClient();
    if (payment) client.setQueryData(paymentKey(payment.transaction_id), payment, { updatedAt: arrivedAt() });
    return client;
  });
  return (
    <QueryClientProvider client={queryClient}>
      <DrawnQr value={qr}>{children}</DrawnQr>
    </QueryClientProvider>
  );
}
