import { headers } from 'next/headers';
import { ForgotPage } from '#panel/auth/forgot-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('auth', 'forgotTitle');

export default async function Page() {
  return <ForgotPage mailFolder={(await headers()).get('x-trilho-mail') === 'folder'} />;
}
