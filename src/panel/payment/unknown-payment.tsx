'use client';

import { ChargeState } from './charge-state.tsx';
import { PaymentFrame } from './payment-frame.tsx';

/**
 * The page of an address that can't be a charge's. It reads like the page of a charge that does not
 * exist.
 */
export function UnknownPayment() {
  return (
    <PaymentFrame layout="message" trouble={null}>
      <ChargeState state="unknown" values={{ merchant: '' }} />
    </PaymentFrame>
  );
}
