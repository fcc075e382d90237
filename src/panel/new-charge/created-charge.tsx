import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconFlask, IconPlus, IconShare } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import { api } from '#panel/api.tsx';
import { Amount } from '#panel/money/amount.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { Countdown } from '#panel/payment/countdown.tsx';
import { CryptoDestination } from '#panel/payment/crypto-destination.tsx';
import { PixCode } from '#panel/payment/pix-code.tsx';
import { usePayment } from '#panel/payment/use-payment.ts';
import { useSandboxCommand } from '#panel/sandbox-controls/use-sandbox-command.ts';
import { CallButton } from '#panel/shell/call-button.tsx';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Focused } from '#panel/shell/focused.tsx';
import { LinkButton, TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import badge from '#panel/shell/status-badge.module.css';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { Icon } from '../shell/icon.tsx';
import { CHARGE_STYLES } from './charge-styles.ts';
import classes from './new-charge.module.css';

/** The charge that was made: the code to show or send, and its status, live. */
export function CreatedCharge({ transactionId }: { transactionId: string }) {
  const t = useTranslations('panel.newCharge');
  const { href } = usePanel();
  const { viewState, charge, receivedAt, trouble, askAgain } = usePayment(transactionId);
  const another = <LinkButton href={href('/cobrar')} icon={IconPlus} label={t('another')} />;
  useRefreshWhenPaid(charge?.status);
  if (viewState === 'unknown') return <EmptyState title={t('unknown')} action={another} />;
  if (!charge) {
    return viewState === 'unreachable' ? (
      <EmptyState title={t('unreachable')} action={<Button onClick={() => askAgain()}>{t('retry')}</Button>} />
    ) : (
      <Skeleton h={420} />
    );
  }
  const { tone, icon } = CHARGE_STYLES[charge.status];
  const isPayable = charge.status === 'pending';
  return (
    <div className={classes.created}>
      <Paper withBorder p="lg" style={{ gridArea: 'code' }}>
        {isPayable ? (
          <Code charge={charge} />
        ) : (
          <Stack align="center" gap={8} py={48}>
            <span className={`${badge.tone} ${classes.overMark}`} data-tone={tone}>
              <Icon of={icon} size={40} />
            </span>
            <Text fw={600} fz="lg" className={classes.overTitle}>
              {t(`states.${charge.status}`)}
            </Text>
            <Muted ta="center">{t(`hints.${charge.status}`)}</Muted>
          </Stack>
        )}
      </Paper>
      <Paper withBorder p="lg" style={{ gridArea: 'sum' }}>
        <Focused>
          <Stack gap="sm">
            <Amount reais={charge.amount} size="xl" />
            {charge.description && <Text>{charge.description}</Text>}
            <Group gap="sm" role="status" aria-live="polite">
              <StatusBadge tone={tone} label={t(`states.${charge.status}`)} hint={t(`hints.${charge.status}`)} />
              {trouble && <Muted>{t(trouble)}</Muted>}
            </Group>
            {isPayable && charge.expires_at && (
              <Countdown expiresAt={charge.expires_at} serverTime={charge.server_time} receivedAt={receivedAt} />
            )}
            {charge.paid_at && (
              <Muted>
                {t('paidAt')} <When at={charge.paid_at} seconds />
              </Muted>
            )}
          </Stack>
        </Focused>
      </Paper>
      <Stack gap="md" style={{ gridArea: 'rest' }}>
        {isPayable && (
          <>
            <ShareLink charge={charge} />
            <SandboxHint transactionId={charge.transaction_id} />
          </>
        )}
        <Group gap="sm">
          {another}
          <LinkButton href={href(`/transacoes/${charge.transaction_id}`)} label={t('details')} />
        </Group>
        <Muted fz="xs" component="div">
          {t('id')}: <CopyText value={charge.transaction_id} label={t('id')} />
        </Muted>
      </Stack>
    </div>
  );
}

function Code({ charge: { crypto, br_code: code, amount } }: { charge: PaymentPageData }) {
  const t = useTranslations('panel.newCharge');
  const formats = useFormats();
  const coins = crypto && formats.coins(crypto.missing, crypto.asset);
  return (
    <Stack gap="md">
      {coins !== null && (
        <Text fw={600} ta="center" fz="lg">
          {Number(crypto?.received) > 0 ? t('stillMissing', { coins }) : coins}
        </Text>
      )}
      <div className={classes.code}>
        {crypto ? (
          <CryptoDestination crypto={crypto} />
        ) : (
          <PixCode code={code} loading={false} label={t('qrLabel', { amount: formats.reais(amount) })} />
        )}
      </div>
    </Stack>
  );
}

function ShareLink({ charge }: { charge: PaymentPageData }) {
  const t = useTranslations('panel.newCharge');
  const formats = useFormats();
  const url = `${usePanel().origin}/pay/${charge.transaction_id}`;
  const [canShare, setCanShare] = useState(false);
  useEffect(() => setCanShare(typeof navigator.share === 'function'), []);
  const text = t('shareText', { merchant: charge.merchant_name, amount: formats.reais(charge.amount) });
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <TextInput
          label={t('link')}
          description={t('linkHint')}
          value={url}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group gap="sm">
          <CopyButton value={url} label={t('copyLink')} />
          {canShare && (
            <Button
              variant="default"
              // Closing the sheet without a choice is no error.
              onClick={() => navigator.share({ url, text }).catch(() => {})}
              leftSection={<Icon of={IconShare} size={16} />}
            >
              {t('share')}
            </Button>
          )}
          <Anchor href={url} target="_blank" rel="noopener" fz="sm">
            {t('openPage')}
          </Anchor>
        </Group>
      </Stack>
    </Paper>
  );
}

/** Says how to pay where no bank ever would: in test mode and in the demonstration. */
function SandboxHint({ transactionId }: { transactionId: string }) {
  const t = useTranslations('panel.newCharge');
  const sandbox = useTranslations('panel.sandbox.bar');
  const { mode, me, href } = usePanel();
  const command = useSandboxCommand();
  if (mode === 'live' && !me.demo) return null;
  return (
    <Notice icon={IconFlask}>
      <Text fz="sm" fw={600}>
        {t(mode === 'test' ? 'sandboxTitle' : 'demoTitle')}
      </Text>
      <Text fz="sm">
        {t('sandboxText')} <TextLink href={href(`/sandbox?transacao=${transactionId}`)} label={t('toSandbox')} />
      </Text>
      <CallButton
        mt="sm"
        call={command}
        input={{ transaction_id: transactionId, command: 'pay' }}
        label={sandbox('payAsCustomer')}
      />
    </Notice>
  );
}

/** Reads balances and lists again once the charge is no longer pending. */
function useRefreshWhenPaid(status: PaymentPageData['status'] | undefined): void {
  const utils = api.useUtils();
  useEffect(() => {
    if (status === undefined || status === 'pending') return;
    void utils.balance.invalidate();
    void utils.transactions.invalidate();
  }, [status, utils]);
}
