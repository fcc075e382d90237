import { getTranslations } from 'next-intl/server';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { PlainPage } from '#panel/plain-page.tsx';

export const generateMetadata = pageTitle('notFound');

export default async function NotFoundPage() {
  const t = await getTranslations('notFound');
  return (
    <PlainPage title={t('title')} text={t('text')}>
      {/* Leads to the panel, or to the sign-in. */}
      <a href="/">{t('home')}</a>
    </PlainPage>
  );
}
