import { LIMIT_NAMES, type LimitName } from '#domain/accounts/limits.ts';
import type { InvoiceSubStatus } from '#domain/invoices/invoice-settlement.ts';
import {
  CHARGE_TRANSITIONS,
  CRYPTO_WITHDRAWAL_TRANSITIONS,
  INVOICE_TRANSITIONS,
  PIX_WITHDRAWAL_TRANSITIONS,
  type TransactionType,
} from '#domain/transactions/transaction-states.ts';
import { TOPIC_TYPES, TOPICS } from '#domain/webhooks/events.ts';
import { nextAttemptDelayMs, WEBHOOK_ATTEMPTS_MAX } from '#domain/webhooks/webhook-schedule.ts';
import { codeCell, codesCell, type Table, type Texts } from './table.ts';

const TRANSITIONS = {
  pix_in: CHARGE_TRANSITIONS,
  pix_out: PIX_WITHDRAWAL_TRANSITIONS,
  crypto_in: INVOICE_TRANSITIONS,
  crypto_out: CRYPTO_WITHDRAWAL_TRANSITIONS,
} satisfies Record<TransactionType, Record<string, readonly string[]>>;

/** The states of a type of transaction, from the domain's own table. */
export const statesTable = (t: Texts, type: TransactionType): Table => ({
  label: t(`docs.states.types.${type}`),
  head: [t('docs.states.status'), t('docs.states.meaning'), t('docs.states.next')],
  rows: Object.entries<readonly string[]>(TRANSITIONS[type]).map(([status, next]) => [
    codeCell(status),
    // The messages have a text for each of a type's states; the compiler can't follow a key of two
    // changing parts.
    t(`docs.states.${type}.${status}` as 'docs.states.pix_in.pending'),
    next.length > 0 ? codesCell(next) : t('docs.states.final'),
  ]),
});

/** The event by which an invoice's sub-status is reported. */
const SUB_STATUS_EVENTS: Record<InvoiceSubStatus, string> = {
  partial: 'crypto_in.detected',
  detected: 'crypto_in.detected',
  underpaid: 'crypto_in.underpaid',
  overpaid: 'crypto_in.overpaid',
  late: 'crypto_in.completed',
  paid_again: 'crypto_in.overpaid',
};

export const subStatusesTable = (t: Texts): Table => ({
  label: t('docs.states.subTitle'),
  head: [t('docs.states.subStatus'), t('docs.states.when'), t('docs.states.credited'), t('docs.states.event')],
  rows: (Object.keys(SUB_STATUS_EVENTS) as InvoiceSubStatus[]).map((status) => [
    codeCell(status),
    t(`docs.states.sub.${status}.when`),
    t(`docs.states.sub.${status}.credited`),
    codeCell(SUB_STATUS_EVENTS[status]),
  ]),
});

const LIMIT_RULES = {
  minimal_value_in: 'minimum_in',
  maximal_value_in: 'maximum_in',
  minimal_value_out: 'minimum_out',
  maximal_value_out: 'maximum_out',
  daily_limit_out: 'daily',
  night_limit_out: 'night',
} as const;

/** The limits by name. */
export function limitsTable(t: Texts): Table {
  const ruleOf = (name: LimitName) =>
    t(`docs.limits.${LIMIT_RULES[name.replace(/_(pix|crypto)$/, '') as keyof typeof LIMIT_RULES]}`);
  return {
    label: t('docs.limits.title'),
    head: [t('docs.limits.name'), t('docs.limits.rule')],
    rows: LIMIT_NAMES.map((name) => [
      codeCell(name),
      `${ruleOf(name)} (${name.endsWith('_pix') ? 'PIX' : t('docs.limits.crypto')})`,
    ]),
  };
}

/** Which transactions' events belong to which topic. */
export const topicsTable = (t: Texts): Table => ({
  label: t('docs.webhooks.topic'),
  head: [t('docs.webhooks.topic'), t('docs.webhooks.events')],
  rows: TOPICS.map((topic) => [codeCell(topic), codesCell(TOPIC_TYPES[topic])]),
});

/** Returns how long each attempt of a webhook waits; the first does not. */
export function attemptWaits(t: Texts): string[] {
  const waitOf = (attempt: number) => {
    const seconds = (nextAttemptDelayMs(attempt, 0, null) ?? 0) / 1000;
    if (seconds === 0) return t('docs.webhooks.atOnce');
    if (seconds < 60) return t('docs.webhooks.seconds', { count: seconds });
    return seconds < 3600
      ? t('docs.webhooks.minutes', { count: seconds / 60 })
      : t('docs.webhooks.hours', { count: seconds / 3600 });
  };
  return Array.from({ length: WEBHOOK_ATTEMPTS_MAX }, (_, attempt) => waitOf(attempt));
}
