import { DisputeCasePage } from '#panel/disputes/dispute-case-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.disputes', 'case.title');
export default panelPage('disputas', DisputeCasePage, (id) => [
  { query: 'disputeCase.get', input: { dispute_id: id } },
]);
