import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PaymentProvider } from '#panel/payment/payment-client.tsx';
import { PaymentPage } from '#panel/payment/payment-page.tsx';
import { UnknownPayment } from '#panel/payment/unknown-payment.tsx';

type Props = { params: Promise<{ transactionId: string }> };

/** An address that can't be a transaction's is refused here; whether a well-formed one exists, the page asks. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('pay');
  const { transactionId } = await params;
  return { title: UUID.test(transactionId) ? t('title') : t('states.unknown.title') };
}

export default async function Page({ params }: Props) {
  const { transactionId } = await params;
  // Not Next's notFound(): thrown from a page it sends an empty document that only JavaScript fills.
  if (!UUID.test(transactionId)) return <UnknownPayment />;
  return (
    <PaymentProvider>
      <PaymentPage transactionId={transactionId.toLowerCase()} />
    </PaymentProvider>
  );
}
