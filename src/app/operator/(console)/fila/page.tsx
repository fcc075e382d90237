import { QueuePage } from '#panel/operator/queue-page.tsx';
import { pageTitle } from '#panel/page-data/page-title.ts';

export const generateMetadata = pageTitle('operator.queue');
export default () => <QueuePage />;
