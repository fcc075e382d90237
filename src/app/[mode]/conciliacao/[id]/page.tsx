import { pageTitle } from '#panel/page-data/page-title.ts';
import { PanelPage } from '#panel/page-data/panel-page.tsx';
import { ReconciledDayPage } from '#panel/reconciliation/reconciled-day-page.tsx';

export const generateMetadata = pageTitle('panel.reconciliation', 'day.title');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <PanelPage page="conciliacao" reads={[{ query: 'reconciliation.get', input: { day_id: id } }]}>
      <ReconciledDayPage id={id} />
    </PanelPage>
  );
}
