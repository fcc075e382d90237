import type { Metadata } from 'next';
import { getFormatter, getTranslations } from 'next-intl/server';
import { createFormats } from '#panel/create-formats.ts';
import { paymentTitle, qrTextOf, stateOf } from '#panel/payment/charge-states.ts';
import { PaymentProvider } from '#panel/payment/payment-client.tsx';
import { PaymentPage, UnknownPayment } from '#panel/payment/payment-page.tsx';
import { QrDrawing } from '#panel/payment/qr-drawing.tsx';
import { readPayment } from '#panel/payment/read-payment.ts';

type Props = { params: Promise<{ transactionId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const payment = await readPayment((await params).transactionId);
  const state = payment === null ? 'unknown' : payment ? stateOf(payment.status, payment) : null;
  return {
    title: paymentTitle(
      await getTranslations('pay'),
      createFormats(await getFormatter(), await getTranslations('formats')),
      state,
      payment ?? undefined,
    ),
  };
}

export default async function Page({ params }: Props) {
  const { transactionId } = await params;
  const payment = await readPayment(transactionId);
  if (payment === null) return <UnknownPayment />;
  const text = payment && qrTextOf(payment);
  return (
    <PaymentProvider payment={payment ?? null} qr={text ? { text, picture: <QrDrawing text={text} /> } : null}>
      <PaymentPage transactionId={transactionId.toLowerCase()} />
    </PaymentProvider>
  );
}
