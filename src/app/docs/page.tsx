import { headers } from 'next/headers';
import { baseUrlOf } from '#panel/docs/base-url-of.ts';
import { DocsPage } from '#panel/docs/docs-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('docs');

export default async function Page() {
  return <DocsPage baseUrl={baseUrlOf(await headers())} />;
}
