import { OperatorSignInPage } from '#panel/operator/operator-sign-in-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.signIn');
export default () => <OperatorSignInPage />;
