import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { useLiveMessages } from '#panel/live/use-live-messages.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { LazyMenu } from '#panel/shell/lazy-menu.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import classes from './notices.module.css';

const NoticeMenu = lazyPart(() => import('./notice-menu.tsx'), 'NoticeMenu');

/** The largest number that is shown: the service counts no further. */
const SHOWN_MAX = 99;

/**
 * The number of notices that the member has not read, live; the list is loaded when it is opened.
 */
export function NoticeBell() {
  const t = useTranslations('panel.notices');
  const { unread_notices: unread } = usePanel().me;
  const utils = api.useUtils();
  const [arrivals, setArrivals] = useState(0);
  useLiveMessages(({ kind }) => {
    if (kind !== 'notice' && kind !== 'resync') return;
    if (kind === 'notice') setArrivals((before) => before + 1);
    void utils.session.me.invalidate();
    void utils.notices.list.invalidate();
  });
  return (
    <>
      <LazyMenu
        menu={(place) => <NoticeMenu {...place} />}
        button={(props) => (
          <UnstyledButton {...props} aria-label={t('bell', { unread })} className={classes.bell}>
            <Icon of={IconBell} size={20} />
            {unread > 0 && (
              <span className={classes.count} aria-hidden="true">
                {unread > SHOWN_MAX ? t('many') : unread}
              </span>
            )}
          </UnstyledButton>
        )}
      />
      <VisuallyHidden aria-live="polite">{arrivals > 0 && <span key={arrivals}>{t('arrived')}</span>}</VisuallyHidden>
    </>
  );
}
