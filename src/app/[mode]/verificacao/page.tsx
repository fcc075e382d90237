import { VerificationPage } from '#panel/kyc/verification-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.kyc');
export default panelPage('verificacao', VerificationPage, () => [{ query: 'kyc.get' }]);
