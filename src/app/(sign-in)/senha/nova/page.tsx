import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ResetPage } from '#panel/auth/reset-page.tsx';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: `${(await getTranslations('auth'))('resetTitle')} · Trilho` };
}

export default async function Page({ searchParams }: Props) {
  const { token } = await searchParams;
  return <ResetPage token={typeof token === 'string' ? token : ''} />;
}
