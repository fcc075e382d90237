import { BrCodePage } from '#panel/br-code/br-code-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';

export const generateMetadata = pageTitle('panel.brCode');

export default function Page() {
  return (
    <PanelPage page="br-code">
      <BrCodePage />
    </PanelPage>
  );
}
