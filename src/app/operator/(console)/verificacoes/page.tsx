import { VerificationsPage } from '#panel/operator/verifications-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.verifications');
export default () => <VerificationsPage />;
