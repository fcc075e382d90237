import { OperatorDisputesPage } from '#panel/operator/operator-disputes-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.disputes');
export default () => <OperatorDisputesPage />;
