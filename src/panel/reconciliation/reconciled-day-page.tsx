'use client';

import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { ExportButton } from '#panel/exports/export-button.tsx';
import { BackLink } from '#panel/shell/back-link.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { ReconciledDay } from './reconciled-day.tsx';

/** One day: what the PSP has of it beside what was booked here, and what differs. */
export function ReconciledDayPage({ id }: { id: string }) {
  const t = useTranslations('panel.reconciliation');
  const { href } = usePanel();
  const query = api.reconciliation.get.useQuery({ day_id: id });
  return (
    <Page
      title={t('day.title')}
      description={<BackLink href={href('/conciliacao')} label={t('title')} />}
      actions={<ExportButton path="reconciliation-items.csv" query={new URLSearchParams({ day_id: id })} />}
    >
      <QueryState query={query} skeleton={[60, 300, 160]}>
        {(found) => <ReconciledDay {...found} hrefOf={(transactionId) => href(`/transacoes/${transactionId}`)} />}
      </QueryState>
    </Page>
  );
}
