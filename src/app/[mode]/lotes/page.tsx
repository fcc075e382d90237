import { BatchesPage } from '#panel/batches/batches-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.batches');

export default function Page() {
  return (
    <PanelPage page="lotes" reads={[{ query: 'batches.list', input: {} }]}>
      <BatchesPage />
    </PanelPage>
  );
}
