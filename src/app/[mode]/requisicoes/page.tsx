import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { addressedSearch } from '#panel/page-data/prefetch-queries.ts';
import { loadRequestFilters, requestsInput } from '#panel/requests/request-filters.ts';
import { RequestsPage } from '#panel/requests/requests-page.tsx';

export const generateMetadata = pageTitle('panel.requests');
export default panelPage('requisicoes', RequestsPage, () => {
  const input = requestsInput(loadRequestFilters(addressedSearch()));
  return [{ query: 'requests.list', input, list: true }, { query: 'keys.list' }];
});
