'use client';

import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { TextLink } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { ClosedWebhooks } from '#panel/transactions/closed-webhooks.tsx';
import { DetailSummary } from '#panel/transactions/detail-summary.tsx';
import { DetailWhy } from '#panel/transactions/detail-why.tsx';
import { MerchantData } from '#panel/transactions/merchant-data.tsx';
import { MoneyLines } from '#panel/transactions/money-lines.tsx';
import { Parties } from '#panel/transactions/parties.tsx';
import { RepeatLine } from '#panel/transactions/repeat-line.tsx';
import { Reviews } from '#panel/transactions/reviews.tsx';
import { Timeline } from '#panel/transactions/timeline.tsx';

import { operatorApi } from './operator-api.tsx';

/** The heading level of the sections: below the page's own heading. */
const ORDER = 2;

/** One transaction of any account, as its members see it, without their actions. */
export function OperatorTransactionPage({ id }: { id: string }) {
  const t = useTranslations('operator.transaction');
  const list = useTranslations('operator.transactions');
  const found = operatorApi.transactions.get.useQuery({ transaction_id: id });
  const { data } = found;
  return (
    <Page
      title={t('title')}
      description={
        data && (
          <>
            {t('account')}: <TextLink href={`/operator/contas/${data.account_id}`} label={data.merchant_name} />
            {data.mode === 'test' && ` (${list('test')})`}
          </>
        )
      }
    >
      <QueryState query={found} skeleton={[34, 16, 120, 120]}>
        {({ detail }) => (
          <Stack gap="lg">
            <Stack gap="xs">
              <DetailSummary detail={detail} />
              {detail.repeat && <RepeatLine repeat={detail.repeat} />}
            </Stack>
            {detail.transaction.reviews.length > 0 && <Reviews reviews={detail.transaction.reviews} />}
            <Timeline detail={detail} order={ORDER} />
            <MoneyLines detail={detail} order={ORDER} />
            <Parties detail={detail} order={ORDER} />
            <MerchantData transaction={detail.transaction} order={ORDER} />
            <DetailWhy detail={detail} order={ORDER} />
            <ClosedWebhooks deliveries={detail.deliveries} order={ORDER} />
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}
