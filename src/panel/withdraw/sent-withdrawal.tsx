import { Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { SETTLED_STATUS } from '#domain/transactions/transaction-states.ts';
import { pixKeyType } from '#domain/withdrawals/pix-key.ts';
import { api } from '#panel/api.tsx';
import { Amount } from '#panel/money/amount.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { reasonOf } from '#panel/shell/call-error.ts';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Focused } from '#panel/shell/focused.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { TransactionStatusBadge } from '#panel/transactions/transaction-status.tsx';
import { useRepeatText } from '#panel/transactions/use-repeat-text.ts';
import { useFormats } from '#panel/use-formats.ts';
import { formatPixKey } from './draft.ts';
import { WalletText } from './wallet-text.tsx';
import classes from './withdraw.module.css';

/** A PIX takes seconds: the page polls often at first, and less often later. */
const POLL_INTERVAL_MS = 1_500;
const POLL_RARER_AFTER = 40;
const POLL_RARELY_MS = 10_000;

/** A withdrawal after it was sent: who got what, its status, and its receipt. */
export function SentWithdrawal({ transactionId }: { transactionId: string }) {
  const t = useTranslations('panel.withdraw');
  const { href } = usePanel();
  const query = api.transactions.get.useQuery(
    { transactionId },
    {
      refetchInterval: ({ state }) => {
        const { status, sub_status: waits } = state.data?.data ?? {};
        if (waits === 'scheduled' || (status !== 'pending' && status !== 'processing')) return false;
        return state.dataUpdateCount > POLL_RARER_AFTER ? POLL_RARELY_MS : POLL_INTERVAL_MS;
      },
    },
  );
  if (reasonOf(query.error) === 'transaction_not_found') {
    return <EmptyState title={t('unknown')} action={<LinkButton href={href('/sacar')} label={t('another')} />} />;
  }
  return (
    <QueryState query={query} skeleton={<Skeleton h={320} maw={620} />}>
      {({ data }) => <Sent transaction={data} />}
    </QueryState>
  );
}

type Transaction = TransactionDetailView['transaction'];

function Sent({ transaction }: { transaction: Transaction }) {
  const t = useTranslations('panel.withdraw');
  const { href } = usePanel();
  const { transaction_id: id, type, status, failure } = transaction;
  const isDone = status === SETTLED_STATUS[type];
  const isOver = status !== 'pending' && status !== 'processing';
  const isWaiting = transaction.sub_status === 'pending_approval';
  const isScheduled = transaction.sub_status === 'scheduled';
  const ended = isDone
    ? 'done'
    : status === 'failed' || status === 'cancelled'
      ? status
      : isOver
        ? 'review'
        : 'underway';
  const outcome = isWaiting ? 'approval' : isScheduled ? 'scheduled' : ended;
  return (
    <Paper withBorder p="lg" maw={640}>
      <Stack gap="lg">
        <Focused role="status">
          <Group gap="sm" align="center" mb={6}>
            <Text fw={600} fz="lg">
              {t(`sent.${outcome === 'done' ? SETTLED_STATUS[type] : outcome}`)}
            </Text>
            <TransactionStatusBadge transaction={transaction} />
          </Group>
          <Muted>
            {t(isWaiting && transaction.scheduled_for ? 'sentText.approvalScheduled' : `sentText.${outcome}`)}
          </Muted>
        </Focused>
        {failure && <Notice tone="bad">{failure.message}</Notice>}
        <Amount reais={type === 'pix_out' ? transaction.amount : transaction.net_amount} size="xl" />
        <Fields transaction={transaction} />
        <Group gap="sm" className={classes.buttons}>
          {(isDone || isScheduled) && (
            <LinkButton
              href={href(`/transacoes/${id}/recibo`)}
              icon={IconPrinter}
              primary
              label={t(isDone ? 'receipt' : 'schedule.receipt')}
            />
          )}
          <LinkButton href={href(`/transacoes/${id}`)} label={t('details')} />
          <LinkButton href={href('/sacar')} label={t('another')} />
        </Group>
      </Stack>
    </Paper>
  );
}

function Fields({ transaction }: { transaction: Transaction }) {
  const t = useTranslations('panel.withdraw');
  const formats = useFormats();
  const { type, status, pix, crypto, currency, crypto_amount: quantity, amount, amount_fees: fee } = transaction;
  const scheduledFor = transaction.scheduled_for;
  const keyType = pix?.pix_key_type ? pixKeyType(pix.pix_key_type) : null;
  const asset = currency && isCurrencyCode(currency) ? CURRENCIES[currency].asset : currency;
  const total = type === 'pix_out' ? Math.round((amount + fee) * 100) / 100 : amount;
  const hash = crypto?.tx_hashes[0];
  // Once it is paid the provider has named the owner of the key; for a scheduled one it may have
  // before.
  const { data: detail } = api.detail.get.useQuery(
    { transaction_id: transaction.transaction_id },
    { enabled: type === 'pix_out' && (status === SETTLED_STATUS.pix_out || scheduledFor !== null) },
  );
  const receiver = detail?.receiver;
  const repeatText = useRepeatText();
  const copied = (value: string, label: string) => <CopyText value={value} label={label} />;
  return (
    <FieldList
      className={classes.fields}
      fields={[
        pix?.pix_key && [
          keyType ? t('to', { type: t(`keyTypes.${keyType}`) }) : t('key'),
          formatPixKey(pix.pix_key, keyType ?? 'evp'),
        ],
        receiver && [t('receiver'), receiver.document ? `${receiver.name} (${receiver.document})` : receiver.name],
        crypto?.wallet && [t('walletLabel'), <WalletText key="wallet" wallet={crypto.wallet} />, 'wide'],
        quantity !== null && asset && [t('coins'), formats.coins(String(quantity), asset)],
        [t('feeLabel'), <Amount key="fee" reais={fee} />],
        [t('total'), <Amount key="total" reais={total} />],
        scheduledFor && [
          t('schedule.when'),
          <span key="scheduled">
            <When at={scheduledFor} />
            {detail?.repeat && `, ${repeatText(detail.repeat)}`}
          </span>,
        ],
        [t('askedAt'), <When key="asked" at={transaction.created_at} seconds />],
        transaction.paid_at && [
          t(`settledAt.${SETTLED_STATUS[type]}`),
          <When key="settled" at={transaction.paid_at} seconds />,
        ],
        pix?.end_to_end_id && [t('endToEndId'), copied(pix.end_to_end_id, t('endToEndId')), 'wide'],
        hash && [t('txHash'), copied(hash, t('txHash')), 'wide'],
      ]}
    />
  );
}
