import { LinkPage } from '#panel/auth/link-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export const generateMetadata = pageTitle('auth', 'confirmTitle');

export default async function Page({ searchParams }: Props) {
  const { token } = await searchParams;
  return <LinkPage kind="confirm" token={typeof token === 'string' ? token : ''} />;
}
