import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ForgotPage } from '#panel/auth/forgot-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: `${(await getTranslations('auth'))('forgotTitle')} · Trilho` };
}

export default function Page() {
  return <ForgotPage />;
}
