import { Button, Group, Stack } from '@mantine/core';
import { IconArrowBackUp, IconExternalLink, IconPrinter, IconShare, IconX } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { MoreMenu } from '#panel/shell/more-menu.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { Icon } from '../shell/icon.tsx';
import { DetailSummary } from './detail-summary.tsx';
import { isSettled } from './money-of.ts';
import { isMoneyOut } from './status-style.ts';

const CancelDialog = lazyPart(() => import('./cancel-dialog.tsx'), 'CancelDialog');
const RefundDialog = lazyPart(() => import('./refund-dialog.tsx'), 'RefundDialog');
const SimulateButton = lazyPart(() => import('#panel/sandbox-controls/simulate-button.tsx'), 'SimulateButton');

/** A transaction's amount, status and id, and what can be done with it. */
export const DetailHead = ({ detail }: { detail: TransactionDetailView }) => (
  <Stack gap="xs">
    <DetailSummary detail={detail} />
    <DetailActions detail={detail} />
  </Stack>
);

function DetailActions({ detail }: { detail: TransactionDetailView }) {
  const t = useTranslations('panel.transactions.detail');
  const { mode, href, may } = usePanel();
  // An open refund dialog goes by what can be refunded now. Where nothing can any more it stays, so
  // that why it was rejected can be read.
  const [dialog, setDialog] = useState<'cancel' | NonNullable<typeof detail.refundable> | null>(null);
  const close = () => setDialog(null);
  const { payment_url: paymentUrl, provider_url: providerUrl, transaction } = detail;
  const refundable = may('transactions.refund') && detail.refundable;
  const isOut = isMoneyOut(transaction.type);
  const cancellable = may(isOut ? 'withdrawals.cancelPix' : 'transactions.cancel') && detail.cancellable;
  const isScheduled = transaction.sub_status === 'scheduled';
  const hasReceipt = isSettled(transaction) || isScheduled;
  return (
    <Group gap="xs" mt={4}>
      {paymentUrl && <CopyButton value={paymentUrl} label={t('copyLink')} size="xs" variant="light" icon={IconShare} />}
      {refundable && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon of={IconArrowBackUp} size={14} />}
          onClick={() => setDialog(refundable)}
        >
          {t('refund')}
        </Button>
      )}
      {hasReceipt && (
        <LinkButton
          href={href(`/transacoes/${transaction.transaction_id}/recibo`)}
          size="xs"
          icon={IconPrinter}
          label={t(isScheduled ? 'scheduleReceipt' : 'receipt')}
        />
      )}
      {mode === 'test' && may('sandbox.command') && !isOut && (
        <Suspense fallback={null}>
          <SimulateButton transactionId={transaction.transaction_id} />
        </Suspense>
      )}
      {(cancellable || paymentUrl || providerUrl) && (
        <MoreMenu
          label={t('moreActions')}
          variant="default"
          actions={[
            paymentUrl !== null && { label: t('openPayment'), icon: IconExternalLink, href: paymentUrl },
            providerUrl !== null && { label: t('openProvider'), icon: IconExternalLink, href: providerUrl },
            cancellable && {
              label: t(isOut ? 'cancelSchedule' : 'cancel'),
              icon: IconX,
              isDanger: true,
              onClick: () => setDialog('cancel'),
            },
          ]}
        />
      )}
      <Suspense fallback={null}>
        {dialog === 'cancel' && <CancelDialog transaction={transaction} onClose={close} />}
        {dialog !== null && dialog !== 'cancel' && (
          <RefundDialog transaction={transaction} refundable={detail.refundable ?? dialog} onClose={close} />
        )}
      </Suspense>
    </Group>
  );
}
