import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';
import { ReconciliationPage } from '#panel/reconciliation/reconciliation-page.tsx';

export const generateMetadata = pageTitle('panel.reconciliation');

export default function Page() {
  return (
    <PanelPage page="conciliacao" reads={[{ query: 'reconciliation.list', input: {}, list: true }]}>
      <ReconciliationPage />
    </PanelPage>
  );
}
