import { useTranslations } from 'next-intl';
import { DocsTable, Prose } from './section.tsx';
import { errorCodesTable, failureCodesTable, issuesTable } from './tables/error-tables.ts';

/** Every code of an error, and every code of a field's issue. */
export function ErrorCodes() {
  const t = useTranslations();
  const parts = { issues: <DocsTable table={issuesTable(t)} /> };
  return <Prose id="errorCodes" parts={parts} table={errorCodesTable(t)} />;
}

/** Every code that a withdrawal can fail with. */
export const FailureCodes = () => <Prose id="failureCodes" table={failureCodesTable(useTranslations())} />;
