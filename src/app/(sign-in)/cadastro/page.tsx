import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import { SignUpPage } from '#panel/auth/sign-up-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: `${(await getTranslations('auth'))('signUp')} · Trilho` };
}

export default async function Page() {
  return <SignUpPage mailFolder={(await headers()).get('x-trilho-mail') === 'folder'} />;
}
