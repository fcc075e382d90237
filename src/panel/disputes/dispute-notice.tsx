import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { isEnded } from './dispute-state.ts';
import { useDisputeText } from './use-dispute-text.ts';

type Props = { dispute: NonNullable<TransactionDetailView['dispute']> };

/** Says on the page of a payment that its payer contests it, or did. */
export function DisputeNotice({ dispute }: Props) {
  const t = useTranslations('panel.disputes.notice');
  const formats = useFormats();
  const { href, may } = usePanel();
  const { label, hint } = useDisputeText()(dispute);
  const to = href(`/disputas/${dispute.dispute_id}`);
  if (isEnded(dispute.state)) {
    return (
      <Muted component="div">
        {t('ended', { state: label })} <TextLink href={to} label={t('see')} />
      </Muted>
    );
  }
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<Icon of={IconAlertTriangle} size={18} />}
      title={t('title', { amount: formats.reais(dispute.amount) })}
    >
      <Text fz="sm">
        {hint} {t('noRefund')}
      </Text>
      <Group mt={6}>
        <TextLink href={to} label={t(dispute.state === 'open' && may('disputes.answer') ? 'answer' : 'see')} />
      </Group>
    </Alert>
  );
}
