import { customersInput, loadCustomerSearch } from '#panel/customers/customer-search.ts';
import { CustomersPage } from '#panel/customers/customers-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { addressedSearch } from '#panel/page-data/prefetch-queries.ts';

export const generateMetadata = pageTitle('panel.customers');
export default panelPage('clientes', CustomersPage, () => {
  const input = customersInput(loadCustomerSearch(addressedSearch()));
  return [{ query: 'customers.list', input, list: true }];
});
