import { PackPage } from '#panel/disputes/pack-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.disputes', 'pack.title');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <PanelPage
      page="disputas"
      reads={[
        { query: 'disputeCase.get', input: { dispute_id: id } },
        { query: 'account.get', input: {} },
      ]}
    >
      <PackPage id={id} />
    </PanelPage>
  );
}
