import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { useRepeatText } from './use-repeat-text.ts';

/** How often a scheduled withdrawal is sent, and which one of them this is. */
export function RepeatLine({ repeat }: { repeat: NonNullable<TransactionDetailView['repeat']> }) {
  const t = useTranslations('panel.transactions.repeat');
  const repeatText = useRepeatText();
  return (
    <Text fz="sm">{t('label', { repeat: t('number', { repeat: repeatText(repeat), number: repeat.number }) })}</Text>
  );
}
