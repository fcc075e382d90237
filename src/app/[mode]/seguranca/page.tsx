import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { addressedSearch } from '#panel/page-data/prefetch-queries.ts';
import { activityInput, loadActivitySearch } from '#panel/security/activity-search.ts';
import { SecurityPage } from '#panel/security/security-page.tsx';

export const generateMetadata = pageTitle('panel.security');
export default panelPage('seguranca', SecurityPage, () => [
  { query: 'security.get' },
  { query: 'people.list' },
  { query: 'security.activity', input: activityInput(loadActivitySearch(addressedSearch())), list: true },
]);
