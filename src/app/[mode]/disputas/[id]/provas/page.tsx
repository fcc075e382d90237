import { PackPage } from '#panel/disputes/pack-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.disputes', 'pack.title');
export default panelPage('disputas', PackPage, (id) => [
  { query: 'disputeCase.get', input: { dispute_id: id } },
  { query: 'account.get', input: {} },
]);
