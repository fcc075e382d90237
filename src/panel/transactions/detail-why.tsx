import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { DetailSection, Folded, type Order } from './detail-section.tsx';

const parts = () => import('./why-parts.tsx');
const CheckedLimits = lazyPart(parts, 'CheckedLimits');
const ProviderCalls = lazyPart(parts, 'ProviderCalls');
const Quote = lazyPart(parts, 'Quote');

/** Why a transaction is as it is: its limits, its quote, and the calls to the provider. */
export function DetailWhy({ detail, order }: { detail: TransactionDetailView; order: Order }) {
  const t = useTranslations('panel.transactions.why');
  const { limits, provider_calls: calls, transaction } = detail;
  const shown = [
    limits.length > 0 && {
      name: 'limits',
      title: t('limits', { count: limits.length }),
      content: <CheckedLimits limits={limits} />,
    },
    transaction.crypto && { name: 'quote', title: t('quote'), content: <Quote transaction={transaction} /> },
    { name: 'calls', title: t('calls', { count: calls.length }), content: <ProviderCalls calls={calls} /> },
  ];
  return (
    <DetailSection title={t('title')} order={order}>
      <Folded order={order} parts={shown.filter((part) => part !== null && part !== false)} />
    </DetailSection>
  );
}
