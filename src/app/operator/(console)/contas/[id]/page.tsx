import { AccountPage } from '#panel/operator/account-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

type Props = { params: Promise<{ id: string }> };

export const generateMetadata = pageTitle('operator.account');

export default async function Page({ params }: Props) {
  return <AccountPage accountId={(await params).id} />;
}
