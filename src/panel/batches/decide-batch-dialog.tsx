import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { BatchView } from '#contract/withdrawals/payout-batches.ts';
import { api } from '#panel/api.tsx';
import { withApproved } from '#panel/shell/approval.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useFormats } from '#panel/use-formats.ts';

type Props = { batch: BatchView; decision: 'approve' | 'decline'; onClose: () => void };

/** Approves or declines a whole batch; asks first, because neither can be undone. */
export function DecideBatchDialog({ batch, decision, onClose }: Props) {
  const t = useTranslations('panel.batches.one');
  const payments = useTranslations('panel.batches');
  const { reais } = useFormats();
  const utils = api.useUtils();
  const options = {
    onSuccess: onClose,
    onSettled: () => Promise.all([utils.batches.invalidate(), utils.overview.invalidate()]),
  };
  const approve = api.batches.approve.useMutation({
    ...options,
    ...withApproved({ reais: batch.amount, subject: payments('count', { count: batch.count }) }),
  });
  const decline = api.batches.decline.useMutation(options);
  const call = decision === 'approve' ? approve : decline;
  const values = { amount: reais(batch.amount), count: batch.count };
  return (
    <FormDialog
      title={t(`${decision}Title`)}
      submit={t(`${decision}Submit`, values)}
      cancel={t('back')}
      call={call}
      onSubmit={() => call.mutate({ batch_id: batch.batch_id })}
      onClose={onClose}
      isQuestion
    >
      <Text fz="sm">{t(`${decision}Text`, values)}</Text>
    </FormDialog>
  );
}
