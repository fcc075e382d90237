import { BatchPage } from '#panel/batches/batch-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.batches', 'one.title');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <PanelPage page="lotes" reads={[{ query: 'batches.get', input: { batch_id: id } }]}>
      <BatchPage id={id} />
    </PanelPage>
  );
}
