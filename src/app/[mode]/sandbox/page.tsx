import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { SandboxPage } from '#panel/sandbox-controls/sandbox-page.tsx';

export const generateMetadata = pageTitle('panel.sandbox');
export default panelPage('sandbox', SandboxPage, () => [{ query: 'sandbox.state' }, { query: 'sandbox.subjects' }]);
