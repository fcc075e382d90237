import { Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { isOpenDispute } from '#domain/disputes/dispute-states.ts';
import { Amount } from '#panel/money/amount.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { isSettled, shownAmount, shownCoins } from './money-of.ts';
import { shownType } from './shown-type.ts';
import { useStatusText } from './transaction-status.tsx';

/** A transaction's amount, status and id. */
export function DetailSummary({ detail }: { detail: TransactionDetailView }) {
  const t = useTranslations('panel.transactions');
  const formats = useFormats();
  const { transaction } = detail;
  const { transaction_id: id, type, amount } = transaction;
  const isDisputed = detail.dispute !== null && isOpenDispute(detail.dispute.state);
  const state = useStatusText(transaction);
  const kind = shownType(transaction);
  const coins = shownCoins(transaction, formats);
  const isOtherAmount = type === 'crypto_in' && isSettled(transaction) && transaction.settled.gross !== amount;
  return (
    <>
      <Group gap="sm" align="center">
        <Amount reais={shownAmount(transaction)} size="xl" />
        <StatusBadge tone={state.tone} label={state.label} />
        {coins && <Muted>{coins}</Muted>}
        {isOtherAmount && <Muted>{t('detail.askedFor', { amount: formats.reais(amount) })}</Muted>}
      </Group>
      {/* The hint says that the money is in the balance, which is wrong while it is held. */}
      {!isDisputed && <Muted>{kind === 'pix_at_bank' ? t('detail.atBank') : state.hint}</Muted>}
      <Text fz="sm" component="div">
        {t(`types.${kind}`)}
        {transaction.description && <> · {transaction.description}</>}
      </Text>
      <Muted fz={13} component="div" ff="monospace">
        <CopyText value={id} label={t('detail.id')} />
      </Muted>
    </>
  );
}
