import { cache } from 'react';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import { pagePrefetch } from '#contract/page-prefetch.ts';
import { isUuid } from '#domain/values/uuid.ts';

/**
 * Returns the payment of a page that is being made; undefined where the page has to ask for it
 * itself, null where there is none at this address. Read once for the page and its title.
 */
export const readPayment = cache(async (address: string): Promise<PaymentPageData | null | undefined> => {
  if (!isUuid(address)) return null;
  const read = await pagePrefetch.getStore()?.read('payment.get', { transactionId: address });
  if (!read) return undefined;
  if (read.data !== undefined) return read.data as PaymentPageData;
  return read.errorCode === 'transaction_not_found' ? null : undefined;
});
