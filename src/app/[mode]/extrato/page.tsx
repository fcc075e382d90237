import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { addressedSearch, FirstReads } from '#panel/page-data/first-reads.tsx';
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
      <FirstReads reads={[{ query: 'statement.get', input: addressedStatement(addressedSearch()), list: true }]}>
        <StatementPage />
      </FirstReads>
    </PageTexts>
  );
}
