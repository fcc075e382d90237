import { VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Amount } from '#panel/money/amount.tsx';
import { LinkedLine, RowLink } from '#panel/shell/linked-row.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { groupByDay, type StatementDay, type StatementEntryView } from './group-by-day.ts';
import classes from './statement.module.css';

/** Entries by day, newest first, each with the balance after it. */
export function StatementList({ entries }: { entries: readonly StatementEntryView[] }) {
  const t = useTranslations('panel.statement.list');
  return (
    <div className={classes.list}>
      <div className={classes.head} aria-hidden="true">
        <span>{t('time')}</span>
        <span>{t('entry')}</span>
        <span>{t('amount')}</span>
        <span>{t('balance')}</span>
      </div>
      {groupByDay(entries).map((day) => (
        <Day key={day.day} day={day} />
      ))}
    </div>
  );
}

function Day({ day: { day, closing, entries } }: { day: StatementDay }) {
  const t = useTranslations('panel.statement.list');
  return (
    <section aria-labelledby={`day-${day}`} data-testid="statement-day">
      <div className={classes.dayHead}>
        <h2 id={`day-${day}`}>{useFormats().dayName(day)}</h2>
        <span>
          {t('closing')} <Amount reais={closing} />
        </span>
      </div>
      <ul className={classes.rows}>
        {entries.map((entry) => (
          <li key={entry.number}>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entry({ entry }: { entry: StatementEntryView }) {
  const t = useTranslations('panel.statement.list');
  const entryText = useTranslations('panel.statement.entries');
  const { href } = usePanel();
  const formats = useFormats();
  const { at, name, amount, balance_after, fee, transaction } = entry;
  const feeText = fee !== null && (fee < 0 ? 'feeReturned' : amount > 0 ? 'feeTaken' : 'feeIncluded');
  const fees = feeText && t(feeText, { fee: formats.reais(Math.abs(fee ?? 0)) });
  const further = [transaction?.customer_name, transaction?.description, fees].filter((text) => text);
  const words = entryText(name);
  const line = (
    <>
      <time className={classes.time} dateTime={at} title={formats.instantExactly(at)}>
        {formats.time(at)}
      </time>
      <span className={classes.what}>
        <span className={classes.name} data-testid="name">
          {transaction ? (
            <RowLink href={href(`/transacoes/${transaction.id}`)} scroll>
              {words}
            </RowLink>
          ) : (
            words
          )}
        </span>
        {further.length > 0 && <span className={classes.further}>{further.join(' · ')}</span>}
      </span>
      <span className={classes.amount} data-in={amount > 0}>
        <VisuallyHidden>{t('amount')} </VisuallyHidden>
        <span data-testid="amount">
          <Amount reais={amount} signed />
        </span>
      </span>
      <span className={classes.after}>
        <VisuallyHidden>{t('balance')} </VisuallyHidden>
        <span data-testid="balance">
          <Amount reais={balance_after} />
        </span>
      </span>
    </>
  );
  if (!transaction) {
    return (
      <div className={classes.row} data-testid="statement-entry">
        {line}
      </div>
    );
  }
  return (
    <LinkedLine className={classes.row} data-testid="statement-entry">
      {line}
    </LinkedLine>
  );
}
