import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { api } from '#panel/api.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { isMoneyOut } from './status-style.ts';

type Props = { transaction: TransactionDetailView['transaction']; onClose: () => void };

/**
 * Cancels a charge that waits, or a withdrawal that has not begun, with those after it; asks first,
 * because it can't be undone.
 */
export function CancelDialog({ transaction: { transaction_id: id, amount, type }, onClose }: Props) {
  const t = useTranslations('panel.transactions');
  const formats = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const isOut = isMoneyOut(type);
  const texts = isOut ? 'cancelScheduled' : 'cancel';
  const options = {
    ...notify.afterDialog(t(`${texts}.done`), { onClose }),
    onSettled: () =>
      Promise.all([utils.detail.get.invalidate({ transaction_id: id }), utils.transactions.list.invalidate()]),
  };
  const cancelCharge = api.transactions.cancel.useMutation(options);
  const cancelWithdrawal = api.withdrawals.cancelPix.useMutation(options);
  const call = isOut ? cancelWithdrawal : cancelCharge;
  return (
    <FormDialog
      isDanger
      title={t(`${texts}.title`)}
      submit={t(`${texts}.submit`)}
      cancel={t(`${texts}.back`)}
      call={call}
      onSubmit={() => call.mutate({ transactionId: id })}
      onClose={onClose}
    >
      <Text fz="sm">{t(`${texts}.text`, { amount: formats.reais(amount) })}</Text>
    </FormDialog>
  );
}
