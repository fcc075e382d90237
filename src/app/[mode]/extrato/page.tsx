import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { addressedSearch } from '#panel/page-data/prefetch-queries.ts';
import { StatementPage } from '#panel/statement/statement-page.tsx';
import { addressedStatement } from '#panel/statement/statement-state.ts';

export const generateMetadata = pageTitle('panel.statement');
export default panelPage('extrato', StatementPage, () => [
  { query: 'statement.get', input: addressedStatement(addressedSearch()), list: true },
]);
