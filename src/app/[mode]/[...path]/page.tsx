import { getTranslations } from 'next-intl/server';
import { noteMissing } from '#panel/page-data/note-missing.ts';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { MissingPage } from '#panel/shell/missing-page.tsx';

export const generateMetadata = pageTitle('notFound');

/** Addresses of the panel that no page has, or none for the member's role. */
export default async function Page({ params }: { params: Promise<{ mode: string }> }) {
  const { mode } = await params;
  const t = await getTranslations('notFound');
  noteMissing();
  return <MissingPage title={t('title')} text={t('textOrRole')} home={t('home')} href={`/${mode}/inicio`} />;
}
