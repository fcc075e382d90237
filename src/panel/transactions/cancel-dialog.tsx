import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { api } from '#panel/api.tsx';
import { AskDialog } from '#panel/shell/ask-dialog.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';
import { useFormats } from '#panel/use-formats.ts';

type Props = { transaction: TransactionDetailView['transaction']; onClose: () => void };

/** Ends a charge that waits; asks first, because it can't be undone. */
export function CancelDialog({ transaction, onClose }: Props) {
  const t = useTranslations('panel.transactions.cancel');
  const formats = useFormats();
  const textOf = useErrorText();
  const utils = api.useUtils();
  const cancel = api.transactions.cancel.useMutation({
    onSuccess() {
      notifications.show({ message: t('done') });
      onClose();
    },
    async onSettled() {
      await Promise.all([
        utils.detail.get.invalidate({ transaction_id: transaction.transaction_id }),
        utils.transactions.list.invalidate(),
      ]);
    },
  });
  return (
    <AskDialog
      title={t('title')}
      confirm={t('submit')}
      cancel={t('back')}
      isPending={cancel.isPending}
      refusal={cancel.error && textOf(cancel.error)}
      onConfirm={() => cancel.mutate({ transactionId: transaction.transaction_id })}
      onClose={onClose}
    >
      <Text fz="sm">{t('text', { amount: formats.reais(transaction.amount) })}</Text>
    </AskDialog>
  );
}
