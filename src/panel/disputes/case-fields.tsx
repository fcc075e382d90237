import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { DisputeCaseView } from '#contract/disputes/dispute-case.ts';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Section } from '#panel/shell/section.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { isEnded } from './dispute-state.ts';
import { FilesOf } from './evidence-files.tsx';

/** What is contested, what of it is held, which payment it is, and what was answered. */
export function CaseFields({ found }: { found: DisputeCaseView }) {
  const t = useTranslations('panel.disputes');
  const formats = useFormats();
  const { href } = usePanel();
  const { dispute, payment } = found;
  const { transaction } = payment;
  const notHeld = isEnded(dispute.state) ? 0 : dispute.amount - dispute.held_amount;
  const payer = [transaction.customer?.name, transaction.customer?.document].filter(Boolean).join(' · ');
  return (
    <>
      <Section title={t('case.about')}>
        <FieldList
          folds
          width={180}
          fields={[
            [t('fields.amount'), formats.reais(dispute.amount)],
            [t('fields.held'), formats.reais(dispute.held_amount)],
            [t('fields.notHeld'), notHeld > 0 && t('fields.notHeldText', { amount: formats.reais(notHeld) })],
            [t('fields.returned'), dispute.returned_amount > 0 && formats.reais(dispute.returned_amount)],
            [t('fields.reason'), t(`reasons.${dispute.reason}`)],
            [
              t('fields.payment'),
              <TextLink
                key="payment"
                href={href(`/transacoes/${dispute.transaction_id}`)}
                label={transaction.description || t('fields.charge', { amount: formats.reais(transaction.amount) })}
              />,
            ],
            [t('fields.paid'), transaction.paid_at && <When at={transaction.paid_at} />],
            [t('fields.payer'), payer],
            [t('fields.opened'), <When key="opened" at={dispute.opened_at} />],
            [t('fields.answerBy'), <When key="until" at={dispute.answer_by} />],
          ]}
        />
      </Section>
      {dispute.answer && (
        <Section title={t('case.answer')}>
          <FieldList
            folds
            width={180}
            fields={[
              [t('fields.answer'), t(`answers.${dispute.answer}`)],
              [t('fields.answeredBy'), dispute.answered_by],
              [t('fields.answeredAt'), dispute.answered_at && <When at={dispute.answered_at} />],
              [t('fields.sentAt'), dispute.answer_sent_at && <When at={dispute.answer_sent_at} />],
            ]}
          />
          {dispute.answer_rejection && <ErrorAlert text={t('notTaken', { reason: dispute.answer_rejection })} />}
          {dispute.answer_text && (
            <Text fz="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {dispute.answer_text}
            </Text>
          )}
          <FilesOf found={found} />
        </Section>
      )}
    </>
  );
}
