import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';
import { PreferencesPage } from '#panel/preferences/preferences-page.tsx';

export const generateMetadata = pageTitle('panel.preferences');

export default function Page() {
  return (
    <PanelPage page="preferencias" reads={[{ query: 'preferences.get' }]}>
      <PreferencesPage />
    </PanelPage>
  );
}
