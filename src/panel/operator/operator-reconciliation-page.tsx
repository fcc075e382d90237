'use client';

import { useTranslations } from 'next-intl';
import { DayTable } from '#panel/reconciliation/day-table.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED, PagedList } from '#panel/shell/paged-list.tsx';
import { operatorApi } from './operator-api.tsx';

/** The days of every PSP's books beside the ledger. */
export function OperatorReconciliationPage() {
  const t = useTranslations('operator.reconciliation');
  const texts = useTranslations('panel.reconciliation');
  const query = operatorApi.reconciliation.list.useInfiniteQuery({}, PAGED);
  return (
    <Page title={t('title')} description={t('description')} wide>
      <PagedList
        query={query}
        rowsOf={({ days }) => days}
        skeleton={[420]}
        empty={<EmptyState title={texts('none.title')} text={texts('none.text')} />}
        more={() => texts('more')}
      >
        {(days) => <DayTable days={days} hrefOf={(id) => `/operator/conciliacao/${id}`} />}
      </PagedList>
    </Page>
  );
}
