import { getTranslations } from 'next-intl/server';
import { noteMissing } from '#panel/page-data/note-missing.ts';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { MissingPage } from '#panel/shell/missing-page.tsx';

export const generateMetadata = pageTitle('notFound');

/** Addresses of the console that no page has. */
export default async function Page() {
  const t = await getTranslations('notFound');
  noteMissing();
  return <MissingPage title={t('title')} text={t('text')} home={t('home')} href="/operator" />;
}
