import { useTranslations } from 'next-intl';
import { TRANSACTION_TYPES, type TransactionType } from '#domain/transactions/transaction-states.ts';
import classes from './docs-page.module.css';
import { DocsTable, Prose, Section } from './section.tsx';
import { limitsTable, statesTable, subStatusesTable } from './tables/transaction-tables.ts';

/** The states of each type of transaction. */
export function States() {
  const t = useTranslations();
  return (
    <Section id="states" title={t('docs.states.title')}>
      <p>{t('docs.states.text')}</p>
      {TRANSACTION_TYPES.map((type) => (
        <StatesOf key={type} type={type} />
      ))}
      <h3 className={classes.subheading}>{t('docs.states.subTitle')}</h3>
      <p>{t('docs.states.subText')}</p>
      <DocsTable table={subStatusesTable(t)} />
    </Section>
  );
}

function StatesOf({ type }: { type: TransactionType }) {
  const t = useTranslations();
  return (
    <>
      <h3 className={classes.subheading}>
        {t(`docs.states.types.${type}`)} <code>{type}</code>
      </h3>
      <DocsTable table={statesTable(t, type)} />
    </>
  );
}

/** The limits by name, and what a day and a night are. */
export const Limits = () => <Prose id="limits" table={limitsTable(useTranslations())} />;
