import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.transactions');
  return { title: `${t('detail.title')} · Trilho` };
}

/** The layout shows it, by the id in the address. */
export default function Page() {
  return null;
}
