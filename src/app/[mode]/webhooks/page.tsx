import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { addressedSearch, PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';
import { deliveriesInput, loadLogFilters } from '#panel/webhooks/log-filters.ts';
import { WebhooksPage } from '#panel/webhooks/webhooks-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.webhooks');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="webhooks">
      <PrefetchQueries
        reads={[
          { query: 'webhooks.overview' },
          { query: 'webhooks.deliveries', input: deliveriesInput(loadLogFilters(addressedSearch())), list: true },
          { query: 'webhooks.received' },
        ]}
      >
        <WebhooksPage />
      </PrefetchQueries>
    </PageTexts>
  );
}
