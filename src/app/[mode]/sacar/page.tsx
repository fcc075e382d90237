import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';
import { WithdrawPage } from '#panel/withdraw/withdraw-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.withdraw');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="sacar">
      <PrefetchQueries
        reads={[
          { query: 'currencies.list', input: {} },
          // Of a form that nothing was typed into.
          { query: 'withdrawalPreview.get', input: { kind: 'pix', amount: null } },
        ]}
      >
        <WithdrawPage />
      </PrefetchQueries>
    </PageTexts>
  );
}
