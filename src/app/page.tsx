import { getTranslations } from 'next-intl/server';
import { PlainPage } from '#panel/plain-page.tsx';

export default async function HomePage() {
  const t = await getTranslations('home');
  return <PlainPage title="Trilho" text={t('text')} />;
}
