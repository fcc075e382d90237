import { type DeliveriesProps, DeliveryLine, DeliveryList, type DeliveryProps } from './delivery-list.tsx';
import classes from './transaction-detail.module.css';

/** The events that were delivered, without what was sent: for the operator. */
export const ClosedWebhooks = (props: DeliveriesProps) => <DeliveryList {...props} Delivered={ClosedDelivery} />;

const ClosedDelivery = ({ delivery }: DeliveryProps) => (
  <div className={classes.closedCall}>
    <DeliveryLine delivery={delivery} />
  </div>
);
