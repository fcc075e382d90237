import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';
import { ProofPage } from '#panel/proof/proof-page.tsx';

export const generateMetadata = pageTitle('panel.proof');

export default function Page() {
  return (
    <PanelPage page="prova" reads={[{ query: 'proof.get' }]}>
      <ProofPage />
    </PanelPage>
  );
}
