import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense } from 'react';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { useLiveMessages } from '#panel/live/use-live-messages.ts';
import { BackLink } from '#panel/shell/back-link.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { DetailHead } from './detail-head.tsx';
import type { Order } from './detail-section.tsx';
import { DetailWhy } from './detail-why.tsx';
import { MerchantData } from './merchant-data.tsx';
import { MoneyLines } from './money-lines.tsx';
import { Parties } from './parties.tsx';
import { Timeline } from './timeline.tsx';
import { TransactionWebhooks } from './transaction-webhooks.tsx';
import { useFilters } from './use-filters.ts';

/** A transaction on a page of its own, for screens without room for a drawer. */
export function TransactionDetailPage({ id }: { id: string }) {
  const t = useTranslations('panel.transactions');
  const { addressOf } = useFilters();
  return (
    <Page title={t('detail.title')} description={<BackLink href={addressOf(null)} label={t('title')} />}>
      <TransactionDetail id={id} order={2} />
    </Page>
  );
}

// Loaded later: few transactions have one.
const Reviews = lazyPart(() => import('./reviews.tsx'), 'Reviews');
const LostPayerNotice = lazyPart(() => import('#panel/disputes/lost-payer-notice.tsx'), 'LostPayerNotice');
const ApprovalSection = lazyPart(() => import('./approval-section.tsx'), 'ApprovalSection');
const DisputeNotice = lazyPart(() => import('#panel/disputes/dispute-notice.tsx'), 'DisputeNotice');

/**
 * How often to read again while something is still going to happen, a webhook's delivery for
 * example.
 */
const POLL_INTERVAL_MS = 4_000;

/** Everything about one transaction. `order`: the heading level of its sections. */
export function TransactionDetail({ id, order }: { id: string; order: Order }) {
  const utils = api.useUtils();
  const { href, may } = usePanel();
  useLiveMessages((message) => {
    const isOther = message.kind === 'transaction' && message.transaction.transaction_id !== id;
    if (isOther || message.kind === 'notice' || message.kind === 'opened') return;
    void utils.detail.get.invalidate({ transaction_id: id });
  });
  const query = api.detail.get.useQuery(
    { transaction_id: id },
    {
      refetchInterval: ({ state: { data } }) =>
        data && (isOpen(data.transaction.status) || data.transaction.refunds.some(({ status }) => status === 'pending'))
          ? POLL_INTERVAL_MS
          : false,
    },
  );
  return (
    <QueryState query={query} skeleton={[34, 16, 120, 120]}>
      {(detail) => (
        <Stack gap="lg">
          <DetailHead detail={detail} />
          {detail.approval && (
            <Suspense fallback={null}>
              <ApprovalSection transaction={detail.transaction} approval={detail.approval} order={order} />
            </Suspense>
          )}
          {detail.dispute && (
            <Suspense fallback={null}>
              <DisputeNotice dispute={detail.dispute} />
            </Suspense>
          )}
          {detail.lost_to_payer && (
            <Suspense fallback={null}>
              <LostPayerNotice lost={detail.lost_to_payer} />
            </Suspense>
          )}
          {detail.transaction.reviews.length > 0 && (
            <Suspense fallback={null}>
              <Reviews reviews={detail.transaction.reviews} />
            </Suspense>
          )}
          <Timeline detail={detail} order={order} />
          <MoneyLines detail={detail} order={order} />
          <Parties
            detail={detail}
            order={order}
            // Any transaction of a customer's names them.
            customerHref={may('customers.get') ? href(`/clientes/${id}`) : undefined}
          />
          <MerchantData transaction={detail.transaction} order={order} />
          <DetailWhy detail={detail} order={order} />
          <TransactionWebhooks deliveries={detail.deliveries} order={order} />
        </Stack>
      )}
    </QueryState>
  );
}

const isOpen = (status: string) => status === 'pending' || status === 'processing';
