import { InstallationPage } from '#panel/operator/installation-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.installation');
export default () => <InstallationPage />;
