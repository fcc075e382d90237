import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { SandboxPage } from '#panel/sandbox-controls/sandbox-page.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.sandbox');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="sandbox">
      <PrefetchQueries reads={[{ query: 'sandbox.state' }, { query: 'sandbox.subjects' }]}>
        <SandboxPage />
      </PrefetchQueries>
    </PageTexts>
  );
}
