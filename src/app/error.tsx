'use client';

import { useTranslations } from 'next-intl';
import { ActionButton } from '#panel/action-button.tsx';
import { isLoadError } from '#panel/connection/lazy-part.ts';
import { LoadError } from '#panel/connection/load-error.tsx';
import { isOutdated } from '#panel/connection/outdated.ts';
import { PlainPage } from '#panel/plain-page.tsx';

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTranslations('error');
  // An error that comes from answers of another version is mended by a reload.
  if (isLoadError(error) || isOutdated()) return <LoadError />;
  return (
    <PlainPage title={t('title')} text={t('text')}>
      <ActionButton onClick={() => retry()}>{t('retry')}</ActionButton>
    </PlainPage>
  );
}
