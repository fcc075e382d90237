import { Button, NumberInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocale, useTranslations } from 'next-intl';
import type { SandboxSubjectView } from '#contract/sandbox/sandbox.ts';
import { type SandboxCommand, SHARE_PERCENT_MAX } from '#domain/sandbox/sandbox-commands.ts';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';
import { useFormats } from '#panel/use-formats.ts';
import classes from './sandbox-page.module.css';
import { inHalf, useSandboxCommand } from './use-sandbox-command.ts';

type Values = { command: SandboxCommand; amount: string; percent: number | string };

/** A button for each command that a transaction of the sandbox takes, with what it does. */
export function CommandButtons({ subject, onStart }: { subject: SandboxSubjectView; onStart: () => void }) {
  const t = useTranslations('panel.sandbox');
  const language = useLocale();
  const formats = useFormats();
  const sent = useSandboxCommand();
  const wireOf = ({ command, amount, percent }: Values) => {
    const reais = reaisOfText(amount, language);
    return {
      transaction_id: subject.transaction_id,
      command,
      ...(command === 'pay_other' && reais !== null && { amount: reais }),
      ...(command === 'pay_part' && percent !== '' && { share_percent: Number(percent) }),
    };
  };
  const rules = useSchemaRules<Values>({
    load: () => loadPart(() => import('#contract/sandbox/sandbox.ts')).then((contract) => contract.sandboxCommandInput),
    wire: wireOf,
    fields: { share_percent: 'percent' },
  });
  const half = inHalf('pay_other', subject.amount).amount ?? null;
  const form = useForm<Values>({
    initialValues: { command: 'pay', amount: formats.typedReais(half), percent: 50 },
    validate: rules.validate,
  });
  const isBusy = form.validating || sent.isPending;
  const start = (command: SandboxCommand) => {
    onStart();
    form.setFieldValue('command', command);
    const onError = (error: unknown) => form.setErrors(rules.errorsOf(error));
    form.onSubmit((values) => sent.mutate(wireOf(values), { onError }))();
  };
  return (
    <ul className={`plain-list ${classes.commands}`}>
      {subject.commands.map((name, index) => (
        <li key={name} className={classes.command}>
          <Button
            size="xs"
            variant={index === 0 ? 'filled' : 'default'}
            loading={isBusy && form.values.command === name}
            disabled={isBusy}
            onClick={() => start(name)}
            fullWidth
          >
            {t(`commands.${name}.name`)}
          </Button>
          <div className={classes.actText}>
            {t(`commands.${name}.text`)}
            {name === 'pay_other' && (
              <AmountInput
                size="xs"
                label={t('subject.amount')}
                {...form.getInputProps('amount')}
                value={form.values.amount}
              />
            )}
            {name === 'pay_part' && (
              <NumberInput
                size="xs"
                label={t('subject.percent')}
                {...form.getInputProps('percent')}
                min={1}
                max={SHARE_PERCENT_MAX}
                allowDecimal={false}
                allowNegative={false}
                clampBehavior="strict"
                suffix={t('subject.percentSuffix')}
                hideControls
              />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
