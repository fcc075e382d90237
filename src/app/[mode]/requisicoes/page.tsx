import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { RequestsPage } from '#panel/requests/requests-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.requests');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return <RequestsPage />;
}
