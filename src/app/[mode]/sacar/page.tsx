import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { WithdrawPage } from '#panel/withdraw/withdraw-page.tsx';

export const generateMetadata = pageTitle('panel.withdraw');
export default panelPage('sacar', WithdrawPage, () => [
  { query: 'currencies.list', input: {} },
  { query: 'payees.list', input: {} },
  // The preview of an empty form.
  { query: 'withdrawalPreview.get', input: { kind: 'pix', amount: null } },
]);
