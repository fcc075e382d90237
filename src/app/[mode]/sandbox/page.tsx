import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';
import { SandboxPage } from '#panel/sandbox-controls/sandbox-page.tsx';

export const generateMetadata = pageTitle('panel.sandbox');

export default function Page() {
  return (
    <PanelPage page="sandbox" reads={[{ query: 'sandbox.state' }, { query: 'sandbox.subjects' }]}>
      <SandboxPage />
    </PanelPage>
  );
}
