import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { DECLINE_REASON_LENGTH_MAX } from '#domain/withdrawals/approvals.ts';
import { api } from '#panel/api.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useReason } from '#panel/shell/use-reason.tsx';
import { useFormats } from '#panel/use-formats.ts';

type Props = { transaction: TransactionDetailView['transaction']; onClose: () => void };

/** Declines a withdrawal that waits, which releases its money; asks for a reason. */
export function DeclineDialog({ transaction, onClose }: Props) {
  const t = useTranslations('panel.transactions.approval');
  const formats = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const reason = useReason({
    label: t('declineReason'),
    description: t('declineReasonHint'),
    missing: t('declineReasonMissing'),
    maxLength: DECLINE_REASON_LENGTH_MAX,
    required: true,
  });
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
  return (
    <FormDialog
      title={t('declineTitle')}
      submit={t('declineSubmit')}
      cancel={t('back')}
      call={decline}
      onSubmit={() => reason.demand((given) => decline.mutate({ transaction_id: id, reason: given }))}
      onClose={onClose}
      isDirty={reason.isDirty}
    >
      <Text fz="sm">{isScheduled ? t('declineScheduled') : t('declineText', { amount: formats.reais(held) })}</Text>
      {reason.field}
    </FormDialog>
  );
}
