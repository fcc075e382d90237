import { useTranslations } from 'next-intl';
import type { ComponentType } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { EndpointUrl } from '#panel/webhooks/endpoint-url.tsx';
import { DetailSection, type Order } from './detail-section.tsx';
import classes from './transaction-detail.module.css';

export type DeliveryProps = { delivery: TransactionDetailView['deliveries'][number] };
export type DeliveriesProps = { deliveries: TransactionDetailView['deliveries']; order: Order };

const TONES = { pending: 'wait', delivered: 'ok', failed: 'bad', held: 'neutral' } as const;

/**
 * The deliveries of a transaction's events to the merchant's systems, each drawn as `Delivered`.
 */
export function DeliveryList(props: DeliveriesProps & { Delivered: ComponentType<DeliveryProps> }) {
  const { deliveries, order, Delivered } = props;
  const t = useTranslations('panel.transactions.webhooks');
  return (
    <DetailSection title={t('title')} order={order}>
      {deliveries.length === 0 && <Muted>{t('none')}</Muted>}
      <ul className="plain-list">
        {deliveries.map((delivery) => (
          <li key={delivery.delivery_id}>
            <Delivered delivery={delivery} />
          </li>
        ))}
      </ul>
    </DetailSection>
  );
}

/** The event of a delivery, where it went, and its state. */
export function DeliveryLine({ delivery }: DeliveryProps) {
  const t = useTranslations('panel.transactions.webhooks');
  const states = useTranslations('panel.webhooks.states');
  const formats = useFormats();
  const { event, url, status, attempts, next_attempt_at: nextAt, last_status: code } = delivery;
  const next = nextAt && status === 'pending' ? t('next', { at: formats.instant(nextAt) }) : undefined;
  return (
    <>
      <span className={classes.callName}>
        <code>{event}</code>
        {url !== null && <EndpointUrl url={url} className={classes.url} />}
      </span>
      <Muted span fz={13}>
        {t('attempts', { count: attempts })}
        {code !== null && ` · HTTP ${code}`}
      </Muted>
      <StatusBadge tone={next && attempts > 0 ? 'warn' : TONES[status]} label={states(status)} hint={next} />
    </>
  );
}
