import { AccountsPage } from '#panel/operator/accounts-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.accounts');
export default () => <AccountsPage />;
