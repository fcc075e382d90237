import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { WithdrawalPreviewData } from '#contract/withdrawals/withdrawal-preview.ts';
import { beginsAt } from '#domain/withdrawals/payout-schedule.ts';
import { api } from '#panel/api.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import type { Draft } from './draft.ts';
import { payeeOf } from './payee-of.ts';

type Props = { data: WithdrawalPreviewData; draft: Draft; amount: number | null };

/** Says in advance that this amount goes to payees only, and what is in the way. */
export function PayeeNote({ data, draft, amount }: Props) {
  const t = useTranslations('panel.withdraw');
  const { reais, instant } = useFormats();
  const { href } = usePanel();
  const { payees_above: above } = data;
  const isHeld = above !== null && amount !== null && amount > above;
  const payees = api.payees.list.useQuery({}, { enabled: isHeld });
  if (!isHeld || !payees.data) return null;
  const payee = payeeOf(draft, payees.data.data);
  const sentAt = draft.kind === 'pix' && draft.isScheduled && draft.scheduledFor ? beginsAt(draft.scheduledFor) : null;
  if (payee && (!payee.waits || (sentAt && sentAt >= new Date(payee.usable_from)))) return null;
  return (
    <Notice tone={payee === undefined ? 'caution' : 'bad'} role="status">
      <Text fz="sm">
        {payee
          ? t('payeeWaits', { label: payee.label, at: instant(payee.usable_from) })
          : t(payee === null ? 'notAPayee' : 'onlyPayees', { amount: reais(above) })}
      </Text>
      {payee === null && <TextLink href={href('/favorecidos')} underline="always" label={t('toPayees')} />}
    </Notice>
  );
}
