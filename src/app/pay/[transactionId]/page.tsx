import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { ApiProvider } from '#panel/api.tsx';
import { PaymentPage } from '#panel/payment/payment-page.tsx';

type Props = { params: Promise<{ transactionId: string }> };

/** An address that can't be a transaction's is refused here; whether a well-formed one exists, the page asks. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pay');
  return { title: t('title') };
}

export default async function Page({ params }: Props) {
  const { transactionId } = await params;
  if (!UUID.test(transactionId)) notFound();
  return (
    <ApiProvider>
      <PaymentPage transactionId={transactionId.toLowerCase()} />
    </ApiProvider>
  );
}
