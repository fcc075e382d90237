'use client';

import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { ExportButton } from '#panel/exports/export-button.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED, PagedList } from '#panel/shell/paged-list.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { DayTable } from './day-table.tsx';

/** Conciliação: the days of the account's own PSP, each beside what was booked here. */
export function ReconciliationPage() {
  const t = useTranslations('panel.reconciliation');
  const { mode, me, href, sees } = usePanel();
  const query = api.reconciliation.list.useInfiniteQuery({}, PAGED);
  // The days of the installation's own credentials are its operator's to compare.
  if (!me.has_reconciliation) {
    return (
      <Page title={t('title')} description={t('description')}>
        <EmptyState
          title={t('noProvider.title')}
          text={t('noProvider.text', { mode })}
          action={
            mode === 'live' &&
            sees('/provedores') && <LinkButton href={href('/provedores')} label={t('noProvider.connect')} />
          }
        />
      </Page>
    );
  }
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={<ExportButton path="reconciliation.csv" query={new URLSearchParams()} />}
    >
      <PagedList
        query={query}
        rowsOf={({ days }) => days}
        skeleton={[420]}
        empty={<EmptyState title={t('none.title')} text={t('none.text')} />}
        more={() => t('more')}
      >
        {(days) => <DayTable days={days} hrefOf={(id) => href(`/conciliacao/${id}`)} />}
      </PagedList>
    </Page>
  );
}
