import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';

type Props = { lost: NonNullable<TransactionDetailView['lost_to_payer']> };

/** Says on the page of a charge that its payer has won a dispute against this account before. */
export function LostPayerNotice({ lost }: Props) {
  const t = useTranslations('panel.disputes.notice');
  const formats = useFormats();
  const { href } = usePanel();
  return (
    <Alert color="yellow" variant="light" icon={<Icon of={IconAlertTriangle} size={18} />} title={t('lostPayer.title')}>
      <Text fz="sm">{t('lostPayer.text', { at: formats.instant(lost.closed_at) })}</Text>
      <Group mt={6}>
        <TextLink href={href(`/disputas/${lost.dispute_id}`)} label={t('see')} />
      </Group>
    </Alert>
  );
}
