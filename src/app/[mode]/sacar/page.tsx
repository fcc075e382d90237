import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { WithdrawPage } from '#panel/withdraw/withdraw-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.withdraw');
  return { title: `${t('title')} · Trilho` };
}

export default function Page() {
  return <WithdrawPage />;
}
