import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';
import { TermsPage } from '#panel/terms/terms-page.tsx';

export const generateMetadata = pageTitle('panel.terms');

export default function Page() {
  return (
    <PanelPage
      page="limites"
      reads={[{ query: 'terms.get' }, { query: 'thresholds.get', input: { kind: 'approval' } }]}
    >
      <TermsPage />
    </PanelPage>
  );
}
