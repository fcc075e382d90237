import { BatchPage } from '#panel/batches/batch-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.batches', 'one.title');
export default panelPage('lotes', BatchPage, (id) => [{ query: 'batches.get', input: { batch_id: id } }]);
