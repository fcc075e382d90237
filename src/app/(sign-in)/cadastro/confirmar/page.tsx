import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { LinkPage } from '#panel/auth/link-page.tsx';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: `${(await getTranslations('auth'))('confirmTitle')} · Trilho` };
}

export default async function Page({ searchParams }: Props) {
  const { token } = await searchParams;
  return <LinkPage kind="signUp" token={typeof token === 'string' ? token : ''} />;
}
