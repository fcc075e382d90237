import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('panel.transactions');

/** The layout shows it: it is the same list beside an open detail. */
export default function Page() {
  return null;
}
