import { useTranslations } from 'next-intl';
import { API_ERROR_CODES, ERROR_CATALOGUE } from '#domain/errors/error-catalogue.ts';
import { API_ISSUE_CODES, ISSUES } from '#domain/errors/issues.ts';
import { DocsTable, Prose } from './section.tsx';

/** What stands for a param of a text that names one. */
const SOMETHING = '…';

/**
 * Every code of an error, from the catalogue that writes the answers, with its texts as they go
 * over the wire; and every code of a field's.
 */
export function ErrorCodes() {
  const t = useTranslations('docs.errorCodes');
  const issueText = useTranslations('issues');
  const rows = API_ERROR_CODES.map((code) => {
    const { status, error, message } = ERROR_CATALOGUE[code];
    return [
      <code key="code">{code}</code>,
      status,
      <span key="text" lang="pt-BR">
        <strong>{error}.</strong> {message.replaceAll(/\{\w+\}/g, SOMETHING)}
      </span>,
    ];
  });
  const issues = API_ISSUE_CODES.map((code) => [
    <code key="code">{code}</code>,
    issueText(code, Object.fromEntries(ISSUES[code].map((param) => [param, SOMETHING]))),
  ]);
  const parts = { issues: <DocsTable label={t('issuesTitle')} head={[t('code'), t('meaning')]} rows={issues} /> };
  return <Prose id="errorCodes" parts={parts} table={{ head: [t('code'), t('status'), t('says')], rows }} />;
}
