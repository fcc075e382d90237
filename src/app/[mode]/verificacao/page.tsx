import { VerificationPage } from '#panel/kyc/verification-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.kyc');

export default function Page() {
  return (
    <PanelPage page="verificacao" reads={[{ query: 'kyc.get' }]}>
      <VerificationPage />
    </PanelPage>
  );
}
