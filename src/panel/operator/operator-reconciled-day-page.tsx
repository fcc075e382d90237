'use client';

import { useTranslations } from 'next-intl';
import { ReconciledDay } from '#panel/reconciliation/reconciled-day.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { operatorApi } from './operator-api.tsx';

/** One day of one PSP's books. */
export function OperatorReconciledDayPage({ id }: { id: string }) {
  const t = useTranslations('operator.reconciliation');
  const texts = useTranslations('panel.reconciliation');
  const query = operatorApi.reconciliation.get.useQuery({ day_id: id });
  return (
    <Page title={texts('day.title')} description={<TextLink href="/operator/conciliacao" label={t('title')} />} wide>
      <QueryState query={query} skeleton={[60, 300, 160]}>
        {(found) => <ReconciledDay {...found} hrefOf={null} />}
      </QueryState>
    </Page>
  );
}
