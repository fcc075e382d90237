import { OperatorAuditPage } from '#panel/operator/operator-audit-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.audit');
export default () => <OperatorAuditPage />;
