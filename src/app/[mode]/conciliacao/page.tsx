import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { ReconciliationPage } from '#panel/reconciliation/reconciliation-page.tsx';

export const generateMetadata = pageTitle('panel.reconciliation');
export default panelPage('conciliacao', ReconciliationPage, () => [
  { query: 'reconciliation.list', input: {}, list: true },
]);
