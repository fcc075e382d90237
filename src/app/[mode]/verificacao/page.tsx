import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { VerificationPage } from '#panel/kyc/verification-page.tsx';
import { PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.kyc');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="verificacao">
      <PrefetchQueries reads={[{ query: 'kyc.get' }]}>
        <VerificationPage />
      </PrefetchQueries>
    </PageTexts>
  );
}
