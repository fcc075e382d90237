import { Button, Group, Radio, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { DisputeCaseView } from '#contract/disputes/dispute-case.ts';
import { ANSWER_TEXT_LENGTH_MAX, DISPUTE_ANSWERS, type DisputeAnswer } from '#domain/disputes/dispute-states.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { focusFirstError } from '#panel/shell/focus-first-error.ts';
import { Section } from '#panel/shell/section.tsx';
import { EvidenceFiles } from './evidence-files.tsx';

const AnswerDialog = lazyPart(() => import('./answer-dialog.tsx'), 'AnswerDialog');

type Values = { answer: DisputeAnswer | ''; text: string };
const EMPTY: Values = { answer: '', text: '' };

/** The merchant's answer to a case. What it means is said and confirmed before it is sent. */
export function AnswerForm({ found }: { found: DisputeCaseView }) {
  const t = useTranslations('panel.disputes.answer');
  const [asked, setAsked] = useState<{ answer: DisputeAnswer; text: string } | null>(null);
  const form = useForm<Values>({
    initialValues: EMPTY,
    validate: {
      answer: (answer) => (answer === '' ? t('choose') : null),
      text: (text, { answer }) => (answer === 'contest' && text.trim() === '' ? t('noText') : null),
    },
  });
  const draft = useDraft(`dispute ${found.dispute.dispute_id}`, form.values, ({ answer = '', text = '' }) =>
    form.setValues({ answer: DISPUTE_ANSWERS.find((one) => one === answer) ?? '', text }),
  );
  const { answer } = form.values;
  return (
    <Section title={t('title')} text={t('lead')} id="answer">
      <form
        noValidate
        onSubmit={form.onSubmit(
          ({ answer, text }) => {
            if (answer !== '') setAsked({ answer, text: answer === 'contest' ? text : '' });
          },
          (errors) => focusFirstError(form.getInputNode, errors, 'answer'),
        )}
      >
        <Stack gap="md">
          <Radio.Group
            {...form.getInputProps('answer')}
            label={t('title')}
            labelProps={{ className: 'visually-hidden' }}
          >
            <Stack gap="sm">
              {(['contest', 'agree'] as const).map((one) => (
                <Radio key={one} value={one} label={t(`${one}.label`)} description={t(`${one}.text`)} />
              ))}
            </Stack>
          </Radio.Group>
          {answer === 'contest' && (
            <Textarea
              {...form.getInputProps('text')}
              label={t('text')}
              description={t('textHint')}
              autosize
              minRows={4}
              maxRows={14}
              maxLength={ANSWER_TEXT_LENGTH_MAX}
            />
          )}
          {answer === 'contest' && <EvidenceFiles found={found} />}
          <Group>
            <Button type="submit">{t('check')}</Button>
          </Group>
        </Stack>
      </form>
      <Suspense fallback={null}>
        {asked && <AnswerDialog found={found} asked={asked} onDone={draft.clear} onClose={() => setAsked(null)} />}
      </Suspense>
    </Section>
  );
}
