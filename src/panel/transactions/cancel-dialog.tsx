'use client';

import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useLocale, useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transaction-detail.ts';
import { api } from '#panel/api.tsx';
import { formatReais } from '#panel/format.ts';
import { useFaultText } from '#panel/shell/faults.ts';

type Props = { transaction: TransactionDetailView['transaction']; onClose: () => void };

/** Ends a charge that waits; asks first, because it can't be undone. */
export function CancelDialog({ transaction, onClose }: Props) {
  const t = useTranslations('panel.transactions.cancel');
  const language = useLocale();
  const textOf = useFaultText();
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
    <Modal opened onClose={onClose} title={t('title')} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap="md">
        <Text fz="sm">{t('text', { amount: formatReais(transaction.amount, language) })}</Text>
        {cancel.error && (
          <Alert color="red" variant="light" role="alert">
            {textOf(cancel.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('back')}
          </Button>
          <Button
            color="red"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ transactionId: transaction.transaction_id })}
          >
            {t('submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
