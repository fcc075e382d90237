import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.transactions');
  return { title: `${t('title')} · Trilho` };
}

/** The layout shows it: it is the same list beside an open detail. */
export default function Page() {
  return null;
}
