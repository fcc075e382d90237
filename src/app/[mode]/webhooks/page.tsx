import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { addressedSearch } from '#panel/page-data/prefetch-queries.ts';
import { deliveriesInput, loadLogFilters } from '#panel/webhooks/log-filters.ts';
import { WebhooksPage } from '#panel/webhooks/webhooks-page.tsx';

export const generateMetadata = pageTitle('panel.webhooks');
export default panelPage('webhooks', WebhooksPage, () => [
  { query: 'webhooks.overview' },
  { query: 'endpoints.list', input: {} },
  { query: 'webhooks.deliveries', input: deliveriesInput(loadLogFilters(addressedSearch())), list: true },
  { query: 'webhooks.received' },
]);
