import { BatchesPage } from '#panel/batches/batches-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.batches');
export default panelPage('lotes', BatchesPage, () => [{ query: 'batches.list', input: {} }]);
