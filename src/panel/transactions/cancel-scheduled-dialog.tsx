import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { api } from '#panel/api.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';

type Props = { transaction: TransactionDetailView['transaction']; onClose: () => void };

/** Ends a withdrawal that has not begun, with those after it; asks first, as with a charge. */
export function CancelScheduledDialog({ transaction: { transaction_id: id, amount }, onClose }: Props) {
  const t = useTranslations('panel.transactions.cancelScheduled');
  const formats = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const cancel = api.withdrawals.cancelPix.useMutation({
    onSuccess() {
      notify.done(t('done'));
      onClose();
    },
    onSettled: () =>
      Promise.all([utils.detail.get.invalidate({ transaction_id: id }), utils.transactions.list.invalidate()]),
  });
  return (
    <FormDialog
      isDanger
      title={t('title')}
      submit={t('submit')}
      cancel={t('back')}
      call={cancel}
      onSubmit={() => cancel.mutate({ transactionId: id })}
      onClose={onClose}
    >
      <Text fz="sm">{t('text', { amount: formats.reais(amount) })}</Text>
    </FormDialog>
  );
}
