import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';
import { UnmatchedPage } from '#panel/unmatched/unmatched-page.tsx';

export const generateMetadata = pageTitle('panel.unmatched');

export default function Page() {
  return (
    <PanelPage page="sem-cobranca" reads={[{ query: 'unmatched.inbox' }]}>
      <UnmatchedPage />
    </PanelPage>
  );
}
