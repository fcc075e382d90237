import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { Me } from '#contract/members/session.ts';
import { useFormats } from '#panel/use-formats.ts';
import { Icon } from './icon.tsx';
import classes from './shell.module.css';

/**
 * On every page: that the account is suspended and why, or that the member is paused and until
 * when.
 */
export function StandingNotice({ me }: { me: Pick<Me, 'suspension_reason' | 'withdrawals_paused_until'> }) {
  const t = useTranslations('panel.shell');
  const formats = useFormats();
  const until = me.withdrawals_paused_until;
  const text =
    me.suspension_reason !== null
      ? // The operator wrote it, with a full stop or without one: it stands at the end.
        [t('suspended'), me.suspension_reason && t('suspendedWhy', { reason: me.suspension_reason })].join(' ')
      : until !== null && t('paused', { until: formats.instant(until) });
  if (!text) return null;
  return (
    <div role="status" className={classes.offline}>
      <Icon of={IconAlertTriangle} size={16} /> {text}
    </div>
  );
}
