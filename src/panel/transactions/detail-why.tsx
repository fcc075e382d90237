import { Accordion } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Skeleton } from '#panel/skeleton.tsx';
import { DetailSection } from './detail-section.tsx';
import classes from './transaction-detail.module.css';

// What is folded comes when it is opened.
const CheckedLimits = lazyPart(() => import('./checked-limits.tsx'), 'CheckedLimits');
const ProviderCalls = lazyPart(() => import('./provider-calls.tsx'), 'ProviderCalls');
const Quote = lazyPart(() => import('./quote.tsx'), 'Quote');

/** Why it is as it is: limits, quote, and what was said to the provider. */
export function DetailWhy({ detail, order }: { detail: TransactionDetailView; order: 2 | 3 }) {
  const t = useTranslations('panel.transactions.why');
  const { limits, provider_calls: calls, transaction } = detail;
  const parts = [
    ...(limits.length > 0 ? [{ name: 'limits', content: <CheckedLimits limits={limits} /> } as const] : []),
    ...(transaction.crypto ? [{ name: 'quote', content: <Quote transaction={transaction} /> } as const] : []),
    { name: 'calls', content: <ProviderCalls calls={calls} /> } as const,
  ];
  return (
    <DetailSection title={t('title')} order={order}>
      <Accordion multiple order={order === 2 ? 3 : 4} classNames={{ root: classes.folded ?? '' }} keepMounted={false}>
        {parts.map(({ name, content }) => (
          <Accordion.Item key={name} value={name}>
            <Accordion.Control>{t(name, { count: name === 'calls' ? calls.length : limits.length })}</Accordion.Control>
            <Accordion.Panel>
              <Suspense fallback={<Skeleton height={40} />}>{content}</Suspense>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </DetailSection>
  );
}
