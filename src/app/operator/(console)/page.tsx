import { OperatorOverviewPage } from '#panel/operator/operator-overview-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.overview');
export default () => <OperatorOverviewPage />;
