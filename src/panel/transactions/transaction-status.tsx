import { useTranslations } from 'next-intl';
import { dayOf } from '#domain/reports/statement-period.ts';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useAccountTime } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { roughly, type StatusFields, statusStyle } from './status-style.ts';

/** A transaction's state: icon, word and colour; its tooltip says what comes next. */
export const TransactionStatusBadge = ({ transaction }: { transaction: StatusFields }) => (
  <StatusBadge {...useStatusText(transaction)} />
);

/** Returns the word of a transaction's state, which also says that its payer contests it. */
export function useStatusLabel() {
  const t = useTranslations('panel.transactions.statuses');
  return (transaction: StatusFields): string => {
    const { word, isContested } = statusStyle(transaction);
    const status = t(word);
    return isContested ? t('contested', { status }) : status;
  };
}

/** A transaction's state in words, and what comes next. */
export function useStatusText(transaction: StatusFields) {
  const labelOf = useStatusLabel();
  const hints = useTranslations('panel.transactions.hints');
  const duration = useTranslations('panel.transactions.duration');
  const formats = useFormats();
  const now = useAccountTime();
  const { expires_at: expiresAt = null, scheduled_for: scheduledFor } = transaction;
  const msLeft = expiresAt === null ? null : Date.parse(expiresAt) - now().getTime();
  const { tone, word, hint } = statusStyle(transaction, msLeft);
  const { unit, count } = roughly(msLeft ?? 0);
  const begins = scheduledFor
    ? { day: formats.day(dayOf(new Date(scheduledFor))), at: formats.time(scheduledFor) }
    : { day: '', at: '' };
  return {
    tone,
    // A list of scheduled payments is read for their dates.
    label: [
      labelOf(transaction),
      ...(word === 'scheduled' && scheduledFor ? [formats.shortDay(scheduledFor)] : []),
    ].join(' · '),
    hint: hints(hint, { time: duration(unit, { count }), ...begins }),
  };
}
