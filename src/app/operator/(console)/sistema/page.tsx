import { SystemPage } from '#panel/operator/system-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.system');
export default () => <SystemPage />;
