import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { BrCodePage } from '#panel/br-code/br-code-page.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.brCode');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="br-code">
      <BrCodePage />
    </PageTexts>
  );
}
