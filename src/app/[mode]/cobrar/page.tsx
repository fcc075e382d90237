import { NewChargePage } from '#panel/new-charge/new-charge-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.newCharge');
export default panelPage('cobrar', NewChargePage, () => [
  { query: 'currencies.list', input: {} },
  { query: 'account.get', input: {} },
  { query: 'account.limits', input: {} },
]);
