import { cache } from 'react';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import { type PrefetchResult, pagePrefetch } from '#contract/page-prefetch.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { noteMissing } from '#panel/page-data/note-missing.ts';

const UNKNOWN: PrefetchResult = { errorCode: 'transaction_not_found' };

/**
 * Returns the payment of a page that is being made; undefined where the page has to ask for it
 * itself, null where there is none at this address, which makes the answer a 404. Read once for the
 * page and its title.
 */
export const readPayment = cache(async (address: string): Promise<PaymentPageData | null | undefined> => {
  const page = pagePrefetch.getStore();
  const read = isUuid(address) ? await page?.read('payment.get', { transactionId: address }) : UNKNOWN;
  if (!read) return undefined;
  if (read.data !== undefined) return read.data as PaymentPageData;
  if (read.errorCode !== UNKNOWN.errorCode) return undefined;
  noteMissing();
  return null;
});
