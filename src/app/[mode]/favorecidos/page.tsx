import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { PayeesPage } from '#panel/payees/payees-page.tsx';

export const generateMetadata = pageTitle('panel.payees');
export default panelPage('favorecidos', PayeesPage, () => [
  { query: 'payees.list', input: {} },
  { query: 'thresholds.get', input: { kind: 'payees' } },
]);
