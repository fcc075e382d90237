import { Suspense, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Skeleton } from '#panel/skeleton.tsx';
import { type DeliveriesProps, DeliveryLine, DeliveryList, type DeliveryProps } from './delivery-list.tsx';
import classes from './transaction-detail.module.css';

const DeliveryAttempts = lazyPart(() => import('#panel/webhooks/delivery-attempts.tsx'), 'DeliveryAttempts');

/** The deliveries of a transaction's events to the merchant's systems; each opens its attempts. */
export const TransactionWebhooks = (props: DeliveriesProps) => <DeliveryList {...props} Delivered={WebhookDelivery} />;

function WebhookDelivery({ delivery }: DeliveryProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.call} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <DeliveryLine delivery={delivery} />
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
