import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { ProofPage } from '#panel/proof/proof-page.tsx';

export const generateMetadata = pageTitle('panel.proof');
export default panelPage('prova', ProofPage, () => [{ query: 'proof.get' }]);
