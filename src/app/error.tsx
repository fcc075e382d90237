'use client';

import { useTranslations } from 'next-intl';
import { ActionButton } from '#panel/action-button.tsx';
import { PlainPage } from '#panel/plain-page.tsx';

export default function ErrorPage({ retry }: { retry: () => void }) {
  const t = useTranslations('error');
  return (
    <PlainPage title={t('title')} text={t('text')}>
      <ActionButton onClick={() => retry()}>{t('retry')}</ActionButton>
    </PlainPage>
  );
}
