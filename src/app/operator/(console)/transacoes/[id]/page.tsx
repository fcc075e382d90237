import { OperatorTransactionPage } from '#panel/operator/operator-transaction-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

type Props = { params: Promise<{ id: string }> };

export const generateMetadata = pageTitle('operator.transaction');

export default async function Page({ params }: Props) {
  return <OperatorTransactionPage id={(await params).id} />;
}
