import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { api } from '#panel/api.tsx';
import { withApproved } from '#panel/shell/approval.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { shownAmount } from './money-of.ts';
import { useRepeatText } from './use-repeat-text.ts';

type Props = { detail: TransactionDetailView; onClose: () => void };

/**
 * Approves a withdrawal that waits, which is then sent, or begins on its date with those after it;
 * says so first.
 */
export function ApproveDialog({ detail: { transaction, repeat }, onClose }: Props) {
  const t = useTranslations('panel.transactions.approval');
  const formats = useFormats();
  const repeatText = useRepeatText();
  const notify = useNotify();
  const utils = api.useUtils();
  const { transaction_id: id, type, destination, scheduled_for: scheduledFor } = transaction;
  const reais = Math.abs(shownAmount(transaction));
  const amount = formats.reais(reais);
  const approve = api.approvals.approve.useMutation({
    ...withApproved({ reais, subject: destination, repeat }),
    ...notify.afterDialog(t(scheduledFor === null ? 'approved' : 'approvedScheduled'), { onClose }),
    onSettled: () => Promise.all([utils.detail.get.invalidate({ transaction_id: id }), utils.overview.invalidate()]),
  });
  return (
    <FormDialog
      title={t('approveTitle')}
      submit={t('approveSubmit', { amount })}
      cancel={t('back')}
      call={approve}
      onSubmit={() => approve.mutate({ transaction_id: id })}
      onClose={onClose}
    >
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {scheduledFor === null
          ? t('approveText', { amount, to: destination ?? '' })
          : t('approveScheduled', { amount, to: destination ?? '', at: formats.instant(scheduledFor) })}
      </Text>
      {repeat && <Text fz="sm">{t('approveRepeat', { repeat: repeatText(repeat) })}</Text>}
      {type === 'crypto_out' && <Text fz="sm">{t('approveCrypto')}</Text>}
    </FormDialog>
  );
}
