import { useTranslations } from 'next-intl';
import type { ListedDelivery } from '#contract/webhooks/webhooks.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import { Link } from '#panel/link.tsx';
import { CodeLine } from '#panel/shell/code-line.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { RowLink } from '#panel/shell/linked-row.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useOpened } from '#panel/shell/use-opened.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { DeliveryState } from './delivery-state.tsx';
import classes from './delivery-table.module.css';
import { isTaken, useAnswerText, useEventName } from './delivery-text.ts';

/** Deliveries as a table; on a narrow screen a list. */
export function DeliveryTable({ deliveries }: { deliveries: readonly ListedDelivery[] }) {
  const t = useTranslations('panel.webhooks');
  const { href } = usePanel();
  const { addressOf, show } = useOpened('entrega');
  const eventName = useEventName();
  const answerText = useAnswerText();
  const formats = useFormats();
  const none = <Muted span>{t('none')}</Muted>;
  const event = ({ delivery_id: id, type, created_at: at }: ListedDelivery) => (
    <>
      <RowLink
        href={addressOf(id)}
        open={() => show(id)}
        className={classes.link}
        // A list of the page's links would have the same name many times.
        aria-label={`${eventName(type)}, ${formats.instantExactly(at)}`}
      >
        {eventName(type)}
      </RowLink>
      <CodeLine visibleFrom="lg">{type}</CodeLine>
    </>
  );
  const transaction = ({ transaction_id: id }: ListedDelivery) =>
    id === null ? (
      none
    ) : (
      <Link href={href(`/transacoes/${id}`)} className={classes.link} title={id}>
        …{id.slice(-6)}
      </Link>
    );
  const answer = ({ last_attempt: last }: ListedDelivery) =>
    last === null ? (
      none
    ) : (
      <>
        {answerText(last)}{' '}
        <Muted span fz="inherit">
          {t('ms', { ms: last.duration_ms })}
        </Muted>
      </>
    );
  const isReceiver = ({ url }: ListedDelivery) => url === TEST_RECEIVER_URL;
  return (
    <DataTable
      rows={deliveries}
      keyOf={({ delivery_id: id }) => id}
      title={(name) => t(`columns.${name}`)}
      folds="tablet"
      classes={classes}
      lines={['event state', 'when answer']}
      isLink
      columns={[
        { name: 'event', cell: event, isHead: true },
        { name: 'transaction', cell: transaction },
        {
          name: 'url',
          cell: (one) => (isReceiver(one) ? t('receiver.name') : (one.url?.replace(/^https?:\/\//, '') ?? t('none'))),
          props: (one) => (isReceiver(one) || one.url === null ? {} : { title: one.url }),
        },
        { name: 'state', cell: (one) => <DeliveryState delivery={one} /> },
        { name: 'attempts', cell: ({ attempts }) => attempts, isNumeric: true },
        {
          name: 'answer',
          cell: answer,
          props: ({ last_attempt: last }) => ({ 'data-bad': last !== null && !isTaken(last) }),
        },
        {
          name: 'next',
          cell: ({ next_try_at: at, attempts }) => (at === null || attempts === 0 ? none : <When at={at} />),
        },
        { name: 'when', cell: ({ created_at: at }) => <When at={at} /> },
      ]}
    />
  );
}
