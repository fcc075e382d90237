import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { OverviewPage } from '#panel/overview/overview-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.overview');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return <OverviewPage />;
}
