import { CustomerPage } from '#panel/customers/customer-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.customers', 'one.title');
export default panelPage('clientes', CustomerPage, (id) => [
  { query: 'customers.get', input: { customer_id: id } },
  { query: 'customers.transactions', input: { customer_id: id }, list: true },
]);
