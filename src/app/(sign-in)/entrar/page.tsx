import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { SignInPage } from '#panel/auth/sign-in-page.tsx';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: `${(await getTranslations('auth'))('signIn')} · Trilho` };
}

export default async function Page({ searchParams }: Props) {
  const { next, aviso } = await searchParams;
  const notice = aviso === 'senha' ? 'reset' : null;
  return <SignInPage next={typeof next === 'string' ? next : null} notice={notice} />;
}
