import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { api } from '#panel/api.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';
import { Choice } from '#panel/shell/choice.tsx';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useReason } from '#panel/shell/use-reason.tsx';
import { Sum } from '#panel/transactions/sum.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { ChargeChoice, type ChosenCharge } from './charge-choice.tsx';
import type { ReceivedMoney } from './inbox.ts';
import { useDecision } from './use-decision.ts';

const ACTS = ['assign', 'deposit', 'return'] as const;
type Act = (typeof ACTS)[number];

type Props = { payment: ReceivedMoney; onClose: () => void };

/**
 * The decision on a payment without a charge; says what is credited, or goes back, before it is.
 */
export function DecideDialog({ payment, onClose }: Props) {
  const t = useTranslations('panel.unmatched');
  const formats = useFormats();
  const textOf = useErrorText();
  const [act, setAct] = useState<Act>('assign');
  const [charge, setCharge] = useState<ChosenCharge | null>(null);
  const reason = useReason({
    label: t('dialog.reason'),
    description: t('dialog.reasonHint'),
    missing: t('dialog.reasonMissing'),
    maxLength: REASON_LENGTH_MAX,
  });
  const { payment_id: id, amount } = payment;
  const preview = api.unmatched.preview.useQuery(
    { payment_id: id, ...(act === 'assign' && charge && { charge_id: charge.id }) },
    { enabled: act === 'deposit' || (act === 'assign' && charge !== null), retry: false },
  );
  const after = useDecision(onClose);
  const assign = api.unmatched.assign.useMutation(after);
  const deposit = api.unmatched.deposit.useMutation(after);
  const giveBack = api.unmatched.returnToPayer.useMutation(after);
  const call = { assign, deposit, return: giveBack }[act];
  const figures = act === 'return' ? undefined : preview.data;
  const submit = (given: string) => {
    const common = { payment_id: id, reason: given };
    if (act === 'return') giveBack.mutate({ ...common, amount });
    else if (!figures) return;
    else if (act === 'deposit') deposit.mutate({ ...common, net: figures.net });
    else if (charge) assign.mutate({ ...common, charge_id: charge.id, net: figures.net });
  };
  const shown = act === 'return' ? amount : figures?.net;
  const verb = act === 'return' ? 'submitReturn' : 'submitCredit';
  return (
    <FormDialog
      title={t('dialog.title', { amount: formats.reais(amount) })}
      submit={shown === undefined ? t('dialog.submit') : t(`dialog.${verb}`, { amount: formats.reais(shown) })}
      call={call}
      onSubmit={() => reason.demand(submit)}
      onClose={onClose}
      isDirty={reason.isDirty}
      size="lg"
    >
      <FieldList
        fields={[
          [t('dialog.paidAt'), formats.instantExactly(payment.paid_at)],
          [t('dialog.note'), payment.payer_note],
          [t('dialog.endToEndId'), payment.end_to_end_id, 'wide'],
        ]}
        width={150}
        folds
      />
      {payment.contested && <Notice>{t('contestedHint')}</Notice>}
      <Choice
        label={t('dialog.what')}
        value={act}
        onChange={(chosen) => setAct(chosen)}
        fullWidth
        data={ACTS.map((value) => ({ value, label: t(`acts.${value}`) }))}
      />
      <Text fz="sm">{t(`texts.${act}`)}</Text>
      {act === 'assign' && (
        <ChargeChoice
          paymentId={id}
          value={charge}
          onChange={setCharge}
          error={reason.isAsked && charge === null ? t('assign.missing') : null}
        />
      )}
      {act === 'assign' && charge && charge.amount !== amount && (
        <Text fz="sm">
          {t('assign.otherAmount', { asked: formats.reais(charge.amount), paid: formats.reais(amount) })}
        </Text>
      )}
      {act === 'return' ? (
        <Sum lines={[{ text: t('sum.toPayer'), reais: amount, isTotal: true }]} />
      ) : (
        figures && (
          <Sum
            lines={[
              { text: t('sum.received'), reais: figures.amount },
              { text: t('sum.fee'), reais: -figures.fee },
              ...(figures.split > 0 ? [{ text: t('sum.split'), reais: -figures.split }] : []),
              { text: t('sum.credited'), reais: figures.net, isTotal: true },
            ]}
          />
        )
      )}
      {/* The dialog shows the error of the call; this is the error of the preview. */}
      <ErrorAlert text={act !== 'return' && !call.error && preview.error !== null && textOf(preview.error)} />
      {reason.field}
    </FormDialog>
  );
}
