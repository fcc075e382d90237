import { OperatorReconciledDayPage } from '#panel/operator/operator-reconciled-day-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

type Props = { params: Promise<{ id: string }> };

export const generateMetadata = pageTitle('operator.reconciliation');

export default async function Page({ params }: Props) {
  return <OperatorReconciledDayPage id={(await params).id} />;
}
