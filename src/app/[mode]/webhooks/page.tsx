import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { WebhooksPage } from '#panel/webhooks/webhooks-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.webhooks');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return <WebhooksPage />;
}
