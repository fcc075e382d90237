import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import { ForgotPage } from '#panel/auth/forgot-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: `${(await getTranslations('auth'))('forgotTitle')} · Trilho` };
}

export default async function Page() {
  return <ForgotPage mailFolder={(await headers()).get('x-trilho-mail') === 'folder'} />;
}
