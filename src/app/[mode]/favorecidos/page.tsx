import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';
import { PayeesPage } from '#panel/payees/payees-page.tsx';

export const generateMetadata = pageTitle('panel.payees');

export default function Page() {
  return (
    <PanelPage
      page="favorecidos"
      reads={[
        { query: 'payees.list', input: {} },
        { query: 'thresholds.get', input: { kind: 'payees' } },
      ]}
    >
      <PayeesPage />
    </PanelPage>
  );
}
