import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { ReconciledDayPage } from '#panel/reconciliation/reconciled-day-page.tsx';

export const generateMetadata = pageTitle('panel.reconciliation', 'day.title');
export default panelPage('conciliacao', ReconciledDayPage, (id) => [
  { query: 'reconciliation.get', input: { day_id: id } },
]);
