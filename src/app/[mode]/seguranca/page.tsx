import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { SecurityPage } from '#panel/security/security-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: `${(await getTranslations('panel.security'))('title')} · Trilho` };
}

export default function Page() {
  return <SecurityPage />;
}
