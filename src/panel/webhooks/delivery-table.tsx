import { Table } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ListedDelivery } from '#contract/webhooks/webhooks.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import { Link } from '#panel/link.tsx';
import { FoldingTable } from '#panel/shell/folding-table.tsx';
import { LinkedRow, RowLink } from '#panel/shell/linked-row.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { DeliveryState } from './delivery-state.tsx';
import classes from './delivery-table.module.css';
import { isTaken, useAnswerText, useEventName } from './delivery-text.ts';
import { useLogState } from './use-log-state.ts';

/** Deliveries as a table; on a phone, where CSS makes blocks of its rows, as a list. */
export function DeliveryTable({ deliveries }: { deliveries: readonly ListedDelivery[] }) {
  const t = useTranslations('panel.webhooks.columns');
  return (
    <FoldingTable folds="early" verticalSpacing={4} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('event')}</Table.Th>
          <Table.Th>{t('transaction')}</Table.Th>
          <Table.Th>{t('url')}</Table.Th>
          <Table.Th>{t('state')}</Table.Th>
          <Table.Th className={classes.number}>{t('attempts')}</Table.Th>
          <Table.Th>{t('answer')}</Table.Th>
          <Table.Th>{t('next')}</Table.Th>
          <Table.Th>{t('when')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.delivery_id} delivery={delivery} />
        ))}
      </Table.Tbody>
    </FoldingTable>
  );
}

function DeliveryRow({ delivery }: { delivery: ListedDelivery }) {
  const t = useTranslations('panel.webhooks');
  const { href } = usePanel();
  const { addressOf, show } = useLogState();
  const eventName = useEventName();
  const answerText = useAnswerText();
  const { delivery_id: id, transaction_id: transactionId, last_attempt: last, next_try_at: nextTryAt } = delivery;
  const isReceiver = delivery.url === TEST_RECEIVER_URL;
  return (
    <LinkedRow className={classes.row}>
      <Table.Th scope="row" className={classes.event}>
        <RowLink href={addressOf(id)} open={() => show(id)} className={classes.link}>
          {eventName(delivery.type)}
        </RowLink>
        <code className={classes.code}>{delivery.type}</code>
      </Table.Th>
      <Table.Td className={classes.transaction}>
        {transactionId === null ? (
          <span className={classes.muted}>{t('none')}</span>
        ) : (
          <Link href={href(`/transacoes/${transactionId}`)} className={classes.link} title={transactionId}>
            …{transactionId.slice(-6)}
          </Link>
        )}
      </Table.Td>
      <Table.Td className={classes.url} title={isReceiver ? undefined : (delivery.url ?? undefined)}>
        {isReceiver ? t('receiver.name') : delivery.url === null ? t('none') : withoutScheme(delivery.url)}
      </Table.Td>
      <Table.Td className={classes.state}>
        <DeliveryState delivery={delivery} />
      </Table.Td>
      <Table.Td className={classes.number}>
        <span className={classes.onPhone}>{t('columns.attempts')} </span>
        {delivery.attempts}
      </Table.Td>
      <Table.Td className={classes.answer} data-bad={last !== null && !isTaken(last)}>
        {last === null ? <span className={classes.muted}>{t('none')}</span> : answerText(last)}
        {last !== null && <span className={classes.muted}> {t('ms', { ms: last.duration_ms })}</span>}
      </Table.Td>
      <Table.Td className={classes.next}>
        {nextTryAt === null || delivery.attempts === 0 ? (
          <span className={classes.muted}>{t('none')}</span>
        ) : (
          <When at={nextTryAt} />
        )}
      </Table.Td>
      <Table.Td className={classes.when}>
        <When at={delivery.created_at} />
      </Table.Td>
    </LinkedRow>
  );
}

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');
