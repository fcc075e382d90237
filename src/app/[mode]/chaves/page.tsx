import { KeysPage } from '#panel/keys/keys-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.keys');
export default panelPage('chaves', KeysPage, () => [{ query: 'keys.list' }]);
