import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { ActionButton } from '#panel/action-button.tsx';
import { connection } from './connection.ts';

const RELOADED = 'trilho.reloaded';
/**
 * A page that fails again this soon after a reload is not reloaded, because that would go on for
 * ever.
 */
const AGAIN_MS = 30_000;

/**
 * Shown in place of a page whose code or parts did not arrive; reloads the page as soon as the
 * service is there.
 */
export function LoadError() {
  const t = useTranslations('connection');
  useEffect(() => {
    let isShown = true;
    void connection.check().then(() => isShown && reloadOnce());
    return () => {
      isShown = false;
    };
  }, []);
  return (
    <div role="status" style={{ display: 'grid', gap: 16, justifyItems: 'start', padding: 24 }}>
      {t('notLoaded')}
      <ActionButton onClick={() => window.location.reload()}>{t('reload')}</ActionButton>
    </div>
  );
}

function reloadOnce(): void {
  try {
    const last = Number(sessionStorage.getItem(RELOADED));
    if (Date.now() - last < AGAIN_MS) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    // Nothing can be stored, so it is unknown whether it was the first time.
    return;
  }
  window.location.reload();
}
