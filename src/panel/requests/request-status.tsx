import { useTranslations } from 'next-intl';
import { StatusBadge } from '#panel/shell/status-badge.tsx';

/** The number that programmers know, with a word and a sign for the eye. */
export function RequestStatus({ status }: { status: number }) {
  const t = useTranslations('panel.requests.classes');
  if (status < 400) return <StatusBadge tone="ok" label={`${status} ${t('ok')}`} />;
  if (status < 500) return <StatusBadge tone="warn" label={`${status} ${t('refused')}`} />;
  return <StatusBadge tone="bad" label={`${status} ${t('failed')}`} />;
}
