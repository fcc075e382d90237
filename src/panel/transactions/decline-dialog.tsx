import { Text, Textarea } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { DECLINE_REASON_LENGTH_MAX } from '#domain/withdrawals/approvals.ts';
import { api } from '#panel/api.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';

type Props = { transaction: TransactionDetailView['transaction']; onClose: () => void };

/** Declines a withdrawal that waits, which releases its money; asks for a reason. */
export function DeclineDialog({ transaction, onClose }: Props) {
  const t = useTranslations('panel.transactions.approval');
  const formats = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { transaction_id: id, amount, amount_fees: fee, type } = transaction;
  const isScheduled = transaction.scheduled_for !== null;
  const held = type === 'pix_out' ? Math.round((amount + fee) * 100) / 100 : amount;
  const decline = api.approvals.decline.useMutation({
    ...notify.afterDialog(t('declined'), { onClose }),
    onSettled: () =>
      Promise.all([
        utils.detail.get.invalidate({ transaction_id: id }),
        utils.overview.invalidate(),
        utils.balance.invalidate(),
      ]),
  });
  const submit = () =>
    reason.trim() === '' ? setMissing(true) : decline.mutate({ transaction_id: id, reason: reason.trim() });
  return (
    <FormDialog
      title={t('declineTitle')}
      submit={t('declineSubmit')}
      cancel={t('back')}
      call={decline}
      onSubmit={submit}
      onClose={onClose}
      isDirty={reason !== ''}
    >
      <Text fz="sm">{isScheduled ? t('declineScheduled') : t('declineText', { amount: formats.reais(held) })}</Text>
      <Textarea
        label={t('declineReason')}
        description={t('declineReasonHint')}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={DECLINE_REASON_LENGTH_MAX}
        error={isMissing && reason.trim() === '' && t('declineReasonMissing')}
        autosize
        minRows={2}
        required
      />
    </FormDialog>
  );
}
