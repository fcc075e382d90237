import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { SecurityPage } from '#panel/security/security-page.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: `${(await getTranslations('panel.security'))('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="seguranca">
      <PrefetchQueries
        reads={[
          { query: 'security.get' },
          { query: 'people.list' },
          { query: 'security.activity', input: { kind: 'security' }, list: true },
        ]}
      >
        <SecurityPage />
      </PrefetchQueries>
    </PageTexts>
  );
}
