import { Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconExternalLink, IconPrinter, IconShare, IconX } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { isOpenDispute } from '#domain/disputes/dispute-states.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Amount } from '#panel/money/amount.tsx';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { MoreMenu } from '#panel/shell/more-menu.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { Icon } from '../shell/icon.tsx';
import { isSettled, shownAmount, shownCoins } from './money-of.ts';
import { shownType } from './shown-type.ts';
import { isMoneyOut } from './status-style.ts';
import { useStatusText } from './transaction-status.tsx';

const CancelDialog = lazyPart(() => import('./cancel-dialog.tsx'), 'CancelDialog');
const RefundDialog = lazyPart(() => import('./refund-dialog.tsx'), 'RefundDialog');
const SimulateButton = lazyPart(() => import('#panel/sandbox-controls/simulate-button.tsx'), 'SimulateButton');

/** How much, its status, which one it is, and what can be done with it. */
export function DetailHead({ detail }: { detail: TransactionDetailView }) {
  const t = useTranslations('panel.transactions');
  const formats = useFormats();
  const { transaction } = detail;
  const { transaction_id: id, type, amount } = transaction;
  const isDisputed = detail.dispute !== null && isOpenDispute(detail.dispute.state);
  const state = useStatusText(transaction);
  const kind = shownType(transaction);
  const coins = shownCoins(transaction, formats);
  const isOtherAmount = type === 'crypto_in' && isSettled(transaction) && transaction.settled.gross !== amount;
  return (
    <Stack gap="xs">
      <Group gap="sm" align="center">
        <Amount reais={shownAmount(transaction)} size="xl" />
        <StatusBadge tone={state.tone} label={state.label} />
        {coins && <Muted>{coins}</Muted>}
        {isOtherAmount && <Muted>{t('detail.askedFor', { amount: formats.reais(amount) })}</Muted>}
      </Group>
      {/* That the money is in the balance would be wrong while it is held. */}
      {!isDisputed && <Muted>{kind === 'pix_at_bank' ? t('detail.atBank') : state.hint}</Muted>}
      <Text fz="sm" component="div">
        {t(`types.${kind}`)}
        {transaction.description && <> · {transaction.description}</>}
      </Text>
      <Muted fz={13} component="div" ff="monospace">
        <CopyText value={id} label={t('detail.id')} />
      </Muted>
      <DetailActions detail={detail} />
    </Stack>
  );
}

function DetailActions({ detail }: { detail: TransactionDetailView }) {
  const t = useTranslations('panel.transactions.detail');
  const { mode, href, may } = usePanel();
  // A refund keeps what could be given back when it was begun: why it was rejected stays readable.
  const [dialog, setDialog] = useState<'cancel' | NonNullable<typeof detail.refundable> | null>(null);
  const close = () => setDialog(null);
  const { payment_url: paymentUrl, provider_url: providerUrl, transaction } = detail;
  const refundable = may('transactions.refund') && detail.refundable;
  const cancellable = may('transactions.cancel') && detail.cancellable;
  const hasReceipt = isSettled(transaction);
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
          label={t('receipt')}
        />
      )}
      {mode === 'test' && may('sandbox.command') && !isMoneyOut(transaction.type) && (
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
            cancellable && { label: t('cancel'), icon: IconX, isDanger: true, onClick: () => setDialog('cancel') },
          ]}
        />
      )}
      <Suspense fallback={null}>
        {dialog === 'cancel' && <CancelDialog transaction={transaction} onClose={close} />}
        {dialog !== null && dialog !== 'cancel' && (
          <RefundDialog transaction={transaction} refundable={dialog} onClose={close} />
        )}
      </Suspense>
    </Group>
  );
}
