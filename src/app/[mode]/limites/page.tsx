import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { TermsPage } from '#panel/terms/terms-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.terms');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return <TermsPage />;
}
