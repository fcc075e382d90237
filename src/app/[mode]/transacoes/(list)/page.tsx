import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('panel.transactions');

/** The layout shows the list: it is the same one beside an open detail. */
export default function Page() {
  return null;
}
