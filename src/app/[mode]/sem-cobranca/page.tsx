import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { UnmatchedPage } from '#panel/unmatched/unmatched-page.tsx';

export const generateMetadata = pageTitle('panel.unmatched');
export default panelPage('sem-cobranca', UnmatchedPage, () => [{ query: 'unmatched.inbox' }]);
