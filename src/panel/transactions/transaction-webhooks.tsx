import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { Skeleton } from '#panel/skeleton.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { EndpointUrl } from '#panel/webhooks/endpoint-url.tsx';
import { DetailSection, type Order } from './detail-section.tsx';
import classes from './transaction-detail.module.css';

const DeliveryAttempts = lazyPart(() => import('#panel/webhooks/delivery-attempts.tsx'), 'DeliveryAttempts');

type Delivery = TransactionDetailView['deliveries'][number];
const TONES = { pending: 'wait', delivered: 'ok', failed: 'bad', held: 'neutral' } as const;

/** The events that were delivered to the merchant's systems; each opens its attempts. */
export function TransactionWebhooks({ deliveries, order }: { deliveries: readonly Delivery[]; order: Order }) {
  const t = useTranslations('panel.transactions.webhooks');
  return (
    <DetailSection title={t('title')} order={order}>
      {deliveries.length === 0 && <Muted>{t('none')}</Muted>}
      <ul className={classes.plainList}>
        {deliveries.map((delivery) => (
          <li key={delivery.delivery_id}>
            <WebhookDelivery delivery={delivery} />
          </li>
        ))}
      </ul>
    </DetailSection>
  );
}

function WebhookDelivery({ delivery }: { delivery: Delivery }) {
  const t = useTranslations('panel.transactions.webhooks');
  const states = useTranslations('panel.webhooks.states');
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const { event, url, status, attempts, next_attempt_at: nextAt, last_status: code } = delivery;
  const next = nextAt && status === 'pending' ? t('next', { at: formats.instant(nextAt) }) : undefined;
  return (
    <details className={classes.call} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className={classes.callName}>
          <code>{event}</code>
          {url !== null && <EndpointUrl url={url} className={classes.url} />}
        </span>
        <Muted span fz={13}>
          {t('attempts', { count: attempts })}
          {code !== null && ` · HTTP ${code}`}
        </Muted>
        <StatusBadge tone={next && attempts > 0 ? 'warn' : TONES[status]} label={states(status)} hint={next} />
      </summary>
      {open && (
        <Suspense fallback={<Skeleton width="100%" height={80} />}>
          <div className={classes.attempts}>
            <DeliveryAttempts deliveryId={delivery.delivery_id} withTransaction={false} />
          </div>
        </Suspense>
      )}
    </details>
  );
}
