import { OperatorVerificationPage } from '#panel/operator/operator-verification-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

type Props = { params: Promise<{ id: string }> };

export const generateMetadata = pageTitle('operator.verification');

export default async function Page({ params }: Props) {
  return <OperatorVerificationPage id={(await params).id} />;
}
