import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { Overview } from '#contract/reports/overview.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import classes from './dispute-strip.module.css';
import { useTimeLeft } from './use-time-left.ts';

type Awaited = NonNullable<Overview['attention']['disputes']>;

/** Says above the balances that payers contest payments, and how much time to answer is left. */
export function DisputeStrip({ disputes }: { disputes: Awaited }) {
  const t = useTranslations('panel.disputes.strip');
  const { reais, instant } = useFormats();
  const { href, may } = usePanel();
  const mayAnswer = may('disputes.answer');
  const { text: time } = useTimeLeft()(disputes.first_answer_by);
  const { count, amount, first_dispute_id: first, first_answer_by: until } = disputes;
  return (
    <section className={classes.strip} aria-label={t('label')}>
      <span className={classes.icon}>
        <Icon of={IconAlertTriangle} />
      </span>
      <span className={classes.text}>
        <strong>{t('text', { count, amount: reais(amount) })}</strong>{' '}
        {t(mayAnswer ? 'until' : 'deadline', { count, time, at: instant(until) })}
      </span>
      <LinkButton
        href={href(count === 1 ? `/disputas/${first}` : '/disputas')}
        size="xs"
        label={t(mayAnswer ? 'action' : 'see')}
      />
    </section>
  );
}
