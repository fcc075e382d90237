import { useTranslations } from 'next-intl';
import type { ListedType, TransactionStatus } from '#domain/transactions/transaction-states.ts';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { roughly, statusStyle } from './status-style.ts';

type Props = {
  type: ListedType;
  status: TransactionStatus;
  subStatus?: string | null;
  refundedAmount: number;
  /** ISO 8601; with it a pending charge says how long it can still be paid. */
  expiresAt?: string | null;
};

/** A transaction's state: icon, word and colour; its tooltip says what comes next. */
export function TransactionStatusBadge(props: Props) {
  const { tone, label, hint } = useStatusText(props);
  return <StatusBadge tone={tone} label={label} hint={hint} />;
}

/** A transaction's state in words, and what comes next. */
export function useStatusText({ type, status, subStatus = null, refundedAmount, expiresAt = null }: Props) {
  const words = useTranslations('panel.transactions.statuses');
  const hints = useTranslations('panel.transactions.hints');
  const duration = useTranslations('panel.transactions.duration');
  const msLeft = expiresAt === null ? null : Date.parse(expiresAt) - Date.now();
  const { tone, word, hint } = statusStyle({ type, status, subStatus, refundedAmount, msLeft });
  const left = roughly(msLeft ?? 0);
  const time = duration(left.unit, { count: left.count });
  return { tone, label: words(word), hint: hints(hint, { time }) };
}
