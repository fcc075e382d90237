import { ENDED_INPUT, OPEN_INPUT } from '#panel/disputes/dispute-inputs.ts';
import { DisputesPage } from '#panel/disputes/disputes-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.disputes');
export default panelPage('disputas', DisputesPage, () => [
  { query: 'disputes.list', input: OPEN_INPUT },
  { query: 'disputes.list', input: ENDED_INPUT, list: true },
]);
