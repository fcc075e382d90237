import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useFormats } from '#panel/use-formats.ts';
import { Icon } from './icon.tsx';
import classes from './shell.module.css';
import { usePanel } from './use-panel.ts';

/**
 * Notices on every page: why the account is suspended, or until when the member is paused, and what
 * is off for every account.
 */
export function StandingNotice() {
  const t = useTranslations('panel.shell');
  const formats = useFormats();
  const { suspension_reason: reason, withdrawals_paused_until: until, closed_rails: closedRails } = usePanel().me;
  const own =
    reason !== null
      ? // The operator's reason stands at the end, because it may lack a full stop.
        [t('suspended'), reason && t('suspendedWhy', { reason })].join(' ')
      : until !== null && t('paused', { until: formats.instant(until) });
  const texts = [own, ...closedRails.map(({ rail, reason: why }) => t('railClosed', { rail, reason: why }))];
  return texts
    .filter((text) => text !== false)
    .map((text) => (
      <div key={text} role="status" className={classes.offline}>
        <Icon of={IconAlertTriangle} size={16} /> {text}
      </div>
    ));
}
