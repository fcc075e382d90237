import { SignInPage } from '#panel/auth/sign-in-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export const generateMetadata = pageTitle('auth', 'signIn');

export default async function Page({ searchParams }: Props) {
  const { next, aviso } = await searchParams;
  const notice = aviso === 'senha' ? 'reset' : null;
  return <SignInPage next={typeof next === 'string' ? next : null} notice={notice} />;
}
