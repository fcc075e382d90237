import { CustomerPage } from '#panel/customers/customer-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.customers', 'one.title');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const input = { customer_id: id };
  return (
    <PanelPage
      page="clientes"
      reads={[
        { query: 'customers.get', input },
        { query: 'customers.transactions', input, list: true },
      ]}
    >
      <CustomerPage id={id} />
    </PanelPage>
  );
}
