import { type DeliveriesProps, DeliveryLine, DeliveryList, type DeliveryProps } from './delivery-list.tsx';
import classes from './transaction-detail.module.css';

/** The deliveries of a transaction's events without their content: for the operator. */
export const ClosedWebhooks = (props: DeliveriesProps) => <DeliveryList {...props} Delivered={ClosedDelivery} />;

const ClosedDelivery = ({ delivery }: DeliveryProps) => (
  <div className={classes.closedCall}>
    <DeliveryLine delivery={delivery} />
  </div>
);
