import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { StartPage } from '#panel/start/start-page.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: `${(await getTranslations('panel.start'))('title')} · Trilho` };
}

export default function Page() {
  return (
    <PageTexts page="comecar">
      <StartPage />
    </PageTexts>
  );
}
