import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { addressedSearch, PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { StatementPage } from '#panel/statement/statement-page.tsx';
import { addressedStatement } from '#panel/statement/statement-state.ts';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.statement');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="extrato">
      <PrefetchQueries reads={[{ query: 'statement.get', input: addressedStatement(addressedSearch()), list: true }]}>
        <StatementPage />
      </PrefetchQueries>
    </PageTexts>
  );
}
