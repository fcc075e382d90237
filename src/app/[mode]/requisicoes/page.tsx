import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { addressedSearch, PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { loadRequestFilters, requestsInput } from '#panel/requests/request-filters.ts';
import { RequestsPage } from '#panel/requests/requests-page.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.requests');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  const input = requestsInput(loadRequestFilters(addressedSearch()));
  return (
    <PageTexts page="requisicoes">
      <PrefetchQueries reads={[{ query: 'requests.list', input, list: true }, { query: 'keys.list' }]}>
        <RequestsPage />
      </PrefetchQueries>
    </PageTexts>
  );
}
