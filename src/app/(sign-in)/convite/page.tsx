import { LinkPage } from '#panel/auth/link-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export const generateMetadata = pageTitle('auth', 'inviteTitle');

export default async function Page({ searchParams }: Props) {
  const { token } = await searchParams;
  return <LinkPage kind="invite" token={typeof token === 'string' ? token : ''} />;
}
