import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { TermsPage } from '#panel/terms/terms-page.tsx';

export const generateMetadata = pageTitle('panel.terms');
export default panelPage('limites', TermsPage, () => [
  { query: 'terms.get' },
  { query: 'thresholds.get', input: { kind: 'approval' } },
]);
