import { headers } from 'next/headers';
import { SignUpPage } from '#panel/auth/sign-up-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('auth', 'signUp');

export default async function Page() {
  return <SignUpPage mailFolder={(await headers()).get('x-trilho-mail') === 'folder'} />;
}
