import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NewChargePage } from '#panel/new-charge/new-charge-page.tsx';
import { PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.newCharge');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="cobrar">
      <PrefetchQueries
        reads={[
          { query: 'currencies.list', input: {} },
          { query: 'account.get', input: {} },
          { query: 'account.limits', input: {} },
        ]}
      >
        <NewChargePage />
      </PrefetchQueries>
    </PageTexts>
  );
}
