import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';
import { ProvidersPage } from '#panel/providers/providers-page.tsx';

export const generateMetadata = pageTitle('panel.providers');

export default function Page() {
  return (
    <PanelPage page="provedores" reads={[{ query: 'providers.get' }]}>
      <ProvidersPage />
    </PanelPage>
  );
}
