import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { ProvidersPage } from '#panel/providers/providers-page.tsx';

export const generateMetadata = pageTitle('panel.providers');
export default panelPage('provedores', ProvidersPage, () => [{ query: 'providers.get' }]);
