import { LATEST_INPUT } from '#panel/overview/latest-input.ts';
import { OverviewPage } from '#panel/overview/overview-page.tsx';
import { loadPeriod } from '#panel/overview/period.ts';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { addressedSearch } from '#panel/page-data/prefetch-queries.ts';

export const generateMetadata = pageTitle('panel.overview');
export default panelPage('inicio', OverviewPage, () => {
  const { periodo: period } = loadPeriod(addressedSearch());
  return [
    { query: 'overview.get', input: { period } },
    { query: 'transactions.list', input: LATEST_INPUT },
  ];
});
