import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { api } from '#panel/api.tsx';
import { withApproved } from '#panel/shell/approval.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { shownAmount } from './money-of.ts';

type Props = { transaction: TransactionDetailView['transaction']; onClose: () => void };

/** Approves a withdrawal that waits, which is then sent; asks first, because it can't be undone. */
export function ApproveDialog({ transaction, onClose }: Props) {
  const t = useTranslations('panel.transactions.approval');
  const formats = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const { transaction_id: id, type, destination } = transaction;
  const reais = Math.abs(shownAmount(transaction));
  const amount = formats.reais(reais);
  const approve = api.approvals.approve.useMutation({
    ...withApproved({ reais, subject: destination }),
    ...notify.afterDialog(t('approved'), { onClose }),
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
        {t('approveText', { amount, to: destination ?? '' })}
      </Text>
      {type === 'crypto_out' && <Text fz="sm">{t('approveCrypto')}</Text>}
    </FormDialog>
  );
}
