import { UnknownPayment } from '#panel/payment/unknown-payment.tsx';

export default function UnknownPaymentPage() {
  return <UnknownPayment />;
}
