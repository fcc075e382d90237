import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { PreferencesPage } from '#panel/preferences/preferences-page.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.preferences');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="preferencias">
      <PrefetchQueries reads={[{ query: 'preferences.get' }]}>
        <PreferencesPage />
      </PrefetchQueries>
    </PageTexts>
  );
}
