import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { ReceiptPage } from '#panel/transactions/receipt-page.tsx';

export const generateMetadata = pageTitle('panel.transactions', 'receipt.heading');
export default panelPage('transacoes', ReceiptPage, (id) => [
  { query: 'detail.get', input: { transaction_id: id } },
  { query: 'account.get', input: {} },
]);
