import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NewChargePage } from '#panel/new-charge/new-charge-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.newCharge');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return <NewChargePage />;
}
