import { BrCodePage } from '#panel/br-code/br-code-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.brCode');
export default panelPage('br-code', BrCodePage);
