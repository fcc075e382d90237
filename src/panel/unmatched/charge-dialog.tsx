import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { api } from '#panel/api.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useReason } from '#panel/shell/use-reason.tsx';
import { Sum } from '#panel/transactions/sum.tsx';
import { useFormats } from '#panel/use-formats.ts';
import type { SentMoney } from './inbox.ts';
import { useDecision } from './use-decision.ts';

type Props = { payout: SentMoney; onClose: () => void };

/** Charges the balance for a PIX that was sent in the bank's application; says what that leaves. */
export function ChargeDialog({ payout, onClose }: Props) {
  const t = useTranslations('panel.unmatched');
  const formats = useFormats();
  const reason = useReason({
    label: t('dialog.reason'),
    description: t('dialog.reasonHint'),
    missing: t('dialog.reasonMissing'),
    maxLength: REASON_LENGTH_MAX,
  });
  const balance = api.balance.get.useQuery({});
  const charge = api.unmatched.charge.useMutation(useDecision(onClose));
  const { payout_id: id, amount } = payout;
  const available = balance.data?.data.available_balance ?? null;
  // Computed in centavos, because doubles do not add up exactly.
  const left = available === null ? null : (Math.round(available * 100) - Math.round(amount * 100)) / 100;
  return (
    <FormDialog
      title={t('sent.title')}
      submit={t('sent.submit', { amount: formats.reais(amount) })}
      call={charge}
      onSubmit={() => reason.demand((given) => charge.mutate({ payout_id: id, amount, reason: given }))}
      onClose={onClose}
      isDirty={reason.isDirty}
    >
      <Text fz="sm">{t('sent.explain', { at: formats.instant(payout.sent_at) })}</Text>
      <Sum
        lines={[
          { text: t('sum.available'), reais: available },
          { text: t('sum.sent'), reais: -amount },
          left !== null && left < 0
            ? { text: t('sum.owed'), reais: left, isTotal: true }
            : { text: t('sum.left'), reais: left, isTotal: true },
        ]}
      />
      {reason.field}
    </FormDialog>
  );
}
