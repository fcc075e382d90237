import { pageTitle } from '#panel/page-data/page-title.ts';
import { panelPage } from '#panel/page-data/panel-page.tsx';
import { StartPage } from '#panel/start/start-page.tsx';

export const generateMetadata = pageTitle('panel.start');
export default panelPage('comecar', StartPage);
