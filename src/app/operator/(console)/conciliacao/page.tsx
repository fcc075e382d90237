import { OperatorReconciliationPage } from '#panel/operator/operator-reconciliation-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.reconciliation');
export default () => <OperatorReconciliationPage />;
