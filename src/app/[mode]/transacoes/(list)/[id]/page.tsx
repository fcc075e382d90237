import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('panel.transactions', 'detail.title');

/** The layout shows the transaction, by the id in the address. */
export default function Page() {
  return null;
}
