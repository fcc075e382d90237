import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { KeysPage } from '#panel/keys/keys-page.tsx';
import { PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.keys');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="chaves">
      <PrefetchQueries reads={[{ query: 'keys.list' }]}>
        <KeysPage />
      </PrefetchQueries>
    </PageTexts>
  );
}
