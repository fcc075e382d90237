import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { VerificationPage } from '#panel/kyc/verification-page.tsx';
import { FirstReads } from '#panel/page-data/first-reads.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.kyc');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="verificacao">
      <FirstReads reads={[{ query: 'kyc.get' }]}>
        <VerificationPage />
      </FirstReads>
    </PageTexts>
  );
}
