import { Button, NumberInput } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import type { SandboxSubjectView } from '#contract/sandbox/sandbox.ts';
import type { SandboxCommand } from '#domain/sandbox/sandbox-commands.ts';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { fieldIssues } from '#panel/shell/call-error.ts';
import { useFormats } from '#panel/use-formats.ts';
import { useIssueText } from '../shell/use-issue-text.ts';
import classes from './sandbox-page.module.css';
import { inHalf, useSandboxCommand } from './use-sandbox-command.ts';

/** Of what is asked for, in percent: the service takes no more. */
const PERCENT_MAX = 1_000;

/** A button for everything that can be made to happen to a transaction, each with what it does. */
export function CommandButtons({ subject, onStart }: { subject: SandboxSubjectView; onStart: () => void }) {
  const t = useTranslations('panel.sandbox');
  const language = useLocale();
  const formats = useFormats();
  const half = inHalf('pay_other', subject.amount).amount ?? null;
  const [amountText, setAmountText] = useState(formats.typedReais(half));
  const amount = reaisOfText(amountText, language);
  const [percent, setPercent] = useState<number | ''>(50);
  const command = useSandboxCommand();
  const textOfIssue = useIssueText();
  const { amount: wrongAmount, share_percent: wrongShare } = fieldIssues(command.error);
  const start = (name: SandboxCommand) => {
    onStart();
    command.mutate({
      transaction_id: subject.transaction_id,
      command: name,
      ...(name === 'pay_other' && amount !== null && { amount }),
      ...(name === 'pay_part' && percent !== '' && { share_percent: percent }),
    });
  };
  return (
    <ul className={classes.commands}>
      {subject.commands.map((name, index) => (
        <li key={name} className={classes.command}>
          <Button
            size="xs"
            variant={index === 0 ? 'filled' : 'default'}
            loading={command.isPending && command.variables?.command === name}
            disabled={command.isPending}
            onClick={() => start(name)}
            className={classes.actButton}
          >
            {t(`commands.${name}.name`)}
          </Button>
          <div className={classes.actText}>
            {t(`commands.${name}.text`)}
            {name === 'pay_other' && (
              <AmountInput
                size="xs"
                label={t('subject.amount')}
                value={amountText}
                onChange={setAmountText}
                error={command.variables?.command === name && wrongAmount && textOfIssue(wrongAmount)}
              />
            )}
            {name === 'pay_part' && (
              <NumberInput
                size="xs"
                label={t('subject.percent')}
                value={percent}
                onChange={(value) => setPercent(typeof value === 'number' ? value : '')}
                min={1}
                max={PERCENT_MAX}
                allowDecimal={false}
                allowNegative={false}
                clampBehavior="strict"
                suffix={t('subject.percentSuffix')}
                hideControls
                error={command.variables?.command === name && wrongShare && textOfIssue(wrongShare)}
              />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
