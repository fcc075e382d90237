import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PrefetchQueries } from '#panel/page-data/prefetch-queries.tsx';
import { PageTexts } from '#panel/texts/page-texts.tsx';
import { ReceiptPage } from '#panel/transactions/receipt-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('panel.transactions');
  return { title: `${t('receipt.heading')} · Trilho` };
}

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <PageTexts page="transacoes">
      <PrefetchQueries
        reads={[
          { query: 'detail.get', input: { transaction_id: id } },
          { query: 'account.get', input: {} },
        ]}
      >
        <ReceiptPage id={id} />
      </PrefetchQueries>
    </PageTexts>
  );
}
