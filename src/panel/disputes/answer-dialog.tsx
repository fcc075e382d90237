import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { DisputeCaseView } from '#contract/disputes/dispute-case.ts';
import type { DisputeAnswer } from '#domain/disputes/dispute-states.ts';
import { api } from '#panel/api.tsx';
import { withApproved } from '#panel/shell/approval.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { Sum } from '#panel/transactions/sum.tsx';
import { useFormats } from '#panel/use-formats.ts';

type Props = {
  found: DisputeCaseView;
  asked: { answer: DisputeAnswer; text: string };
  onDone: () => void;
  onClose: () => void;
};

/**
 * Asks once more before an answer is sent, because it is final. What agreeing costs is said in
 * figures.
 */
export function AnswerDialog({ found, asked, onDone, onClose }: Props) {
  const t = useTranslations('panel.disputes.answer');
  const notify = useNotify();
  const utils = api.useUtils();
  const { dispute_id: disputeId } = found.dispute;
  const send = api.disputes.answer.useMutation({
    ...withApproved({ reais: found.dispute.amount }),
    onSuccess() {
      notify.done(t(`${asked.answer}.done`));
      onDone();
      onClose();
    },
    onSettled: () =>
      Promise.all([
        utils.disputes.invalidate(),
        utils.disputeCase.invalidate(),
        utils.overview.invalidate(),
        utils.detail.get.invalidate({ transaction_id: found.dispute.transaction_id }),
      ]),
  });
  return (
    <FormDialog
      title={t(`${asked.answer}.question`)}
      submit={t(`${asked.answer}.send`)}
      cancel={t('back')}
      call={send}
      isDanger={asked.answer === 'agree'}
      isQuestion={asked.answer === 'contest'}
      onSubmit={() =>
        send.mutate({ disputeId, answer: asked.answer, ...(asked.text.trim() !== '' && { text: asked.text }) })
      }
      onClose={onClose}
    >
      {asked.answer === 'agree' ? <WhatLeaves found={found} /> : <Text fz="sm">{t('contest.final')}</Text>}
    </FormDialog>
  );
}

/**
 * What the account gives up: the part that is held already, and the rest, which its balance gives.
 */
function WhatLeaves({ found: { dispute, payment } }: { found: DisputeCaseView }) {
  const t = useTranslations('panel.disputes.answer.agree');
  const formats = useFormats();
  const { amount, held_amount: held } = dispute;
  // Rounded to centavos: the difference of two doubles may be a fraction of one.
  const rest = Math.round((amount - held) * 100) / 100;
  const fee = payment.transaction.amount_fees;
  return (
    <>
      <Sum
        lines={[
          { text: t('held'), reais: -held },
          ...(rest > 0 ? [{ text: t('rest'), reais: -rest }] : []),
          { text: t('total'), reais: -amount, isTotal: true },
        ]}
      />
      <Muted fz={13}>
        {rest > 0 && `${t('owed')} `}
        {fee > 0 && `${t('feeStays', { fee: formats.reais(fee) })} `}
        {t('final')}
      </Muted>
    </>
  );
}
