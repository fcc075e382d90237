import { DecisionsPage } from '#panel/operator/decisions-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.decisions');
export default () => <DecisionsPage />;
