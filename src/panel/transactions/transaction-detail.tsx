import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense, useDeferredValue } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { ERASED_KEY } from '#domain/customers/erased-key.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { mayAnswerRequests } from '#panel/customers/may-answer-requests.ts';
import { useLiveMessages } from '#panel/live/use-live-messages.ts';
import { BackLink } from '#panel/shell/back-link.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { useAccountTime, usePanel } from '#panel/shell/use-panel.ts';
import { Waiting } from '#panel/shell/waiting.tsx';
import { DetailHead } from './detail-head.tsx';
import { DetailSection, type Order } from './detail-section.tsx';
import { DetailWhy } from './detail-why.tsx';
import { MoneyLines } from './money-lines.tsx';
import { Parties } from './parties.tsx';
import { pollInterval } from './poll-interval.ts';
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

// Loaded when there is one, which few transactions have, and shown with the rest: a part that comes
// later would move what is below it.
const MerchantData = lazyPart(() => import('./merchant-data.tsx'), 'MerchantData');
const RepeatLine = lazyPart(() => import('./repeat-line.tsx'), 'RepeatLine');
const Reviews = lazyPart(() => import('./reviews.tsx'), 'Reviews');
const PersonalData = lazyPart(() => import('#panel/customers/personal-data.tsx'), 'PersonalData');
const LostPayerNotice = lazyPart(() => import('#panel/disputes/lost-payer-notice.tsx'), 'LostPayerNotice');
const ApprovalSection = lazyPart(() => import('./approval-section.tsx'), 'ApprovalSection');
const DisputeNotice = lazyPart(() => import('#panel/disputes/dispute-notice.tsx'), 'DisputeNotice');

/** The heights of what comes, in pixels. */
const SKELETON = [34, 16, 120, 120];

/** Everything about one transaction. `order`: the heading level of its sections. */
export function TransactionDetail({ id, order }: { id: string; order: Order }) {
  const utils = api.useUtils();
  const now = useAccountTime();
  useLiveMessages((message) => {
    const isOther = message.kind === 'transaction' && message.transaction.transaction_id !== id;
    if (isOther || message.kind === 'notice' || message.kind === 'opened') return;
    void utils.detail.get.invalidate({ transaction_id: id });
  });
  const query = api.detail.get.useQuery(
    { transaction_id: id },
    { refetchInterval: ({ state: { data } }) => (data ? pollInterval(data, now()) : false) },
  );
  return (
    <QueryState query={query} skeleton={SKELETON}>
      {(detail) => (
        <Suspense fallback={<Waiting heights={SKELETON} />}>
          <Parts detail={detail} order={order} />
        </Suspense>
      )}
    </QueryState>
  );
}

function Parts({ order, ...read }: { detail: TransactionDetailView; order: Order }) {
  const { href, may } = usePanel();
  const data = useTranslations('panel.customers.data');
  // What is shown stays until a part that a change needs is loaded.
  const detail = useDeferredValue(read.detail);
  const { transaction } = detail;
  const hasMerchantData = transaction.reference !== null || Object.keys(transaction.metadata ?? {}).length > 0;
  return (
    <Stack gap="lg">
      <DetailHead detail={detail} />
      {detail.repeat && <RepeatLine repeat={detail.repeat} />}
      {detail.approval && <ApprovalSection detail={detail} approval={detail.approval} order={order} />}
      {detail.dispute && <DisputeNotice dispute={detail.dispute} />}
      {detail.lost_to_payer && <LostPayerNotice lost={detail.lost_to_payer} />}
      {transaction.reviews.length > 0 && <Reviews reviews={transaction.reviews} />}
      <Timeline detail={detail} order={order} />
      <MoneyLines detail={detail} order={order} />
      <Parties
        detail={detail}
        order={order}
        // Any transaction of a customer's names them.
        customerHref={may('customers.get') ? href(`/clientes/${transaction.transaction_id}`) : undefined}
      />
      {hasMerchantData && <MerchantData transaction={transaction} order={order} />}
      <DetailWhy detail={detail} order={order} />
      <TransactionWebhooks deliveries={detail.deliveries} order={order} />
      {isNamedHere(transaction) && mayAnswerRequests(may) && (
        <DetailSection title={data('title')} order={order}>
          <PersonalData id={transaction.transaction_id} />
        </DetailSection>
      )}
    </Stack>
  );
}

/**
 * Whether a transaction names a person who has no page among the customers: without a document, or
 * as who was paid.
 */
const isNamedHere = ({ customer, pix }: TransactionDetailView['transaction']): boolean =>
  !customer?.document && Boolean(customer?.name ?? customer?.email ?? customer?.phone ?? keyOf(pix?.pix_key));

/** Null of a key that was erased. */
const keyOf = (key: string | null | undefined) => (key === ERASED_KEY ? null : key);
