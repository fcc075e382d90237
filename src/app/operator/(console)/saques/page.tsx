import { UnsettledPayoutsPage } from '#panel/operator/unsettled-payouts-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.payouts');
export default () => <UnsettledPayoutsPage />;
