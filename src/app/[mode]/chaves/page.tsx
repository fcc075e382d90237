import { KeysPage } from '#panel/keys/keys-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.keys');

export default function Page() {
  return (
    <PanelPage page="chaves" reads={[{ query: 'keys.list' }]}>
      <KeysPage />
    </PanelPage>
  );
}
