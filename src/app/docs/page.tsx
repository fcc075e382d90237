import { headers } from 'next/headers';
import { DocsPage } from '#panel/docs/docs-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

/** What a host may be made of: the examples are pasted into shells. */
const HOST = /^[\w.:[\]-]+$/;
const SOMEWHERE = 'https://pay.example.com';

export const generateMetadata = pageTitle('docs');

export default async function Page() {
  return <DocsPage baseUrl={baseUrlOf(await headers())} />;
}

/** The address at which the reader reached this page, for the examples. */
function baseUrlOf(request: Awaited<ReturnType<typeof headers>>): string {
  const host = request.get('host') ?? '';
  const scheme = request.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return HOST.test(host) ? `${scheme}://${host}` : SOMEWHERE;
}
