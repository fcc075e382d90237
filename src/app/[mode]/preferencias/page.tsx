import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { PreferencesPage } from '#panel/preferences/preferences-page.tsx';

export const generateMetadata = pageTitle('panel.preferences');
export default panelPage('preferencias', PreferencesPage, () => [{ query: 'preferences.get' }]);
