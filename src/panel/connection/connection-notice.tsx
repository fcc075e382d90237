'use client';

import './observed-fetch.ts';
import { useTranslations } from 'next-intl';
import classes from './connection-notice.module.css';
import { useConnection } from './use-connection.ts';

/**
 * A notice on every page: the service does not respond and is tried again, or there is a newer
 * version to load. Nothing otherwise.
 */
export function ConnectionNotice() {
  const t = useTranslations('connection');
  const { isReachable, isOnline, isOutdated } = useConnection();
  if (isReachable && !isOutdated) return null;
  return (
    <div className={classes.room}>
      <div role="status" className={classes.notice}>
        {isReachable ? t('outdated') : t(isOnline ? 'away' : 'offline')}
        {isReachable && (
          <button type="button" className={classes.reload} onClick={() => window.location.reload()}>
            {t('reload')}
          </button>
        )}
      </div>
    </div>
  );
}
