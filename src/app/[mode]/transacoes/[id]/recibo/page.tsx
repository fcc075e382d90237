import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';
import { ReceiptPage } from '#panel/transactions/receipt-page.tsx';

export const generateMetadata = pageTitle('panel.transactions', 'receipt.heading');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <PanelPage
      page="transacoes"
      reads={[
        { query: 'detail.get', input: { transaction_id: id } },
        { query: 'account.get', input: {} },
      ]}
    >
      <ReceiptPage id={id} />
    </PanelPage>
  );
}
