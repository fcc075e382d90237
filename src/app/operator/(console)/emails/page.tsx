import { MailPage } from '#panel/operator/mail-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.mail');
export default () => <MailPage />;
