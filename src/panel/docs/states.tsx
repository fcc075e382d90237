import { useTranslations } from 'next-intl';
import { LIMIT_NAMES, type LimitName } from '#domain/accounts/limits.ts';
import type { InvoiceSubStatus } from '#domain/invoices/invoice-settlement.ts';
import {
  CHARGE_TRANSITIONS,
  CRYPTO_WITHDRAWAL_TRANSITIONS,
  INVOICE_TRANSITIONS,
  PIX_WITHDRAWAL_TRANSITIONS,
  TRANSACTION_TYPES,
  type TransactionType,
} from '#domain/transactions/transaction-states.ts';
import classes from './docs-page.module.css';
import { Codes, DocsTable, Prose, Section } from './section.tsx';

const TRANSITIONS = {
  pix_in: CHARGE_TRANSITIONS,
  pix_out: PIX_WITHDRAWAL_TRANSITIONS,
  crypto_in: INVOICE_TRANSITIONS,
  crypto_out: CRYPTO_WITHDRAWAL_TRANSITIONS,
} satisfies Record<TransactionType, Record<string, readonly string[]>>;

/** The event that an invoice's sub-status goes out with. */
const SUB_STATUS_EVENTS: Record<InvoiceSubStatus, string> = {
  partial: 'crypto_in.detected',
  detected: 'crypto_in.detected',
  underpaid: 'crypto_in.underpaid',
  overpaid: 'crypto_in.overpaid',
  late: 'crypto_in.completed',
  paid_again: 'crypto_in.overpaid',
};

/** The states of each type of transaction, from the domain's own tables. */
export function States() {
  const t = useTranslations('docs.states');
  const rows = (Object.keys(SUB_STATUS_EVENTS) as InvoiceSubStatus[]).map((status) => [
    <code key={status}>{status}</code>,
    t(`sub.${status}.when`),
    t(`sub.${status}.credited`),
    <code key="event">{SUB_STATUS_EVENTS[status]}</code>,
  ]);
  return (
    <Section id="states" title={t('title')}>
      <p>{t('text')}</p>
      {TRANSACTION_TYPES.map((type) => (
        <StatesOf key={type} type={type} />
      ))}
      <h3 className={classes.subheading}>{t('subTitle')}</h3>
      <p>{t('subText')}</p>
      <DocsTable label={t('subTitle')} head={[t('subStatus'), t('when'), t('credited'), t('event')]} rows={rows} />
    </Section>
  );
}

function StatesOf({ type }: { type: TransactionType }) {
  const t = useTranslations('docs.states');
  const rows = Object.entries<readonly string[]>(TRANSITIONS[type]).map(([status, next]) => [
    <code key={status}>{status}</code>,
    // The messages have a text for each of a type's states; the compiler can't follow a key of two
    // changing parts.
    t(`${type}.${status}` as 'pix_in.pending'),
    next.length > 0 ? <Codes key="next" texts={next} /> : t('final'),
  ]);
  return (
    <>
      <h3 className={classes.subheading}>
        {t(`types.${type}`)} <code>{type}</code>
      </h3>
      <DocsTable label={t(`types.${type}`)} head={[t('status'), t('meaning'), t('next')]} rows={rows} />
    </>
  );
}

const LIMIT_RULES = {
  minimal_value_in: 'minimum_in',
  maximal_value_in: 'maximum_in',
  minimal_value_out: 'minimum_out',
  maximal_value_out: 'maximum_out',
  daily_limit_out: 'daily',
  night_limit_out: 'night',
} as const;

/** The limits by name, and what a day and a night are. */
export function Limits() {
  const t = useTranslations('docs.limits');
  const ruleOf = (name: LimitName) => t(LIMIT_RULES[name.replace(/_(pix|crypto)$/, '') as keyof typeof LIMIT_RULES]);
  const rows = LIMIT_NAMES.map((name) => [
    <code key={name}>{name}</code>,
    `${ruleOf(name)} (${name.endsWith('_pix') ? 'PIX' : t('crypto')})`,
  ]);
  return <Prose id="limits" table={{ head: [t('name'), t('rule')], rows }} />;
}
