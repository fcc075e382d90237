import { OperatorTransactionsPage } from '#panel/operator/operator-transactions-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.transactions');
export default () => <OperatorTransactionsPage />;
