import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { LATEST_INPUT } from '#panel/overview/latest-input.ts';
import { OverviewPage } from '#panel/overview/overview-page.tsx';
import { loadPeriod } from '#panel/overview/period.ts';
import { addressedSearch, PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.overview');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  const { periodo: period } = loadPeriod(addressedSearch());
  return (
    <PageTexts page="inicio">
      <PrefetchQueries
        reads={[
          { query: 'overview.get', input: { period } },
          { query: 'transactions.list', input: LATEST_INPUT },
        ]}
      >
        <OverviewPage />
      </PrefetchQueries>
    </PageTexts>
  );
}
