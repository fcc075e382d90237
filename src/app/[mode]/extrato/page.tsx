import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { StatementPage } from '#panel/statement/statement-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.statement');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return <StatementPage />;
}
