import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { TermsPage } from '#panel/terms/terms-page.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.terms');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="limites">
      <PrefetchQueries reads={[{ query: 'terms.get' }]}>
        <TermsPage />
      </PrefetchQueries>
    </PageTexts>
  );
}
