import { useTranslations } from 'next-intl';
import { API_ERROR_CODES, ERROR_CATALOGUE } from '#domain/errors/error-catalogue.ts';
import { isAnswerKept } from '#domain/errors/is-answer-kept.ts';
import { API_ISSUE_CODES, ISSUES } from '#domain/errors/issues.ts';
import { isContradiction, PAYOUT_FAILURES } from '#domain/withdrawals/payout-failures.ts';
import { reference } from './reference.ts';
import { DocsTable, MARKS, Prose } from './section.tsx';

/** What stands for a param of a text that names one. */
const SOMETHING = '…';

/** Those that a POST can be answered: only they can meet a repeated Idempotency-Key. */
const CODES_OF_POSTS: ReadonlySet<string> = new Set(
  reference.operations
    .filter(({ method }) => method === 'POST')
    .flatMap(({ errors }) => errors.map(({ body }) => body.code)),
);
const NO_POST = '–';

/**
 * Every code of an error by its status, from the catalogue that writes the answers: its short name
 * as it goes over the wire, what to do, and what a repeated Idempotency-Key brings; and every code
 * of a field's.
 */
export function ErrorCodes() {
  const t = useTranslations('docs.errorCodes');
  const issueText = useTranslations('issues');
  const rows = API_ERROR_CODES.map((code) => ({ code, ...ERROR_CATALOGUE[code] }))
    .sort((one, other) => one.status - other.status)
    .map(({ code, status, error }) => [
      <code key="code">{code}</code>,
      status,
      <span key="text">
        <strong lang="pt-BR">{error}.</strong> {t.rich(`actions.${code}`, MARKS)}
      </span>,
      CODES_OF_POSTS.has(code) ? t(isAnswerKept(code) ? 'kept' : 'executes') : NO_POST,
    ]);
  const issues = API_ISSUE_CODES.map((code) => [
    <code key="code">{code}</code>,
    issueText(code, Object.fromEntries(ISSUES[code].map((param) => [param, SOMETHING]))),
  ]);
  const parts = { issues: <DocsTable label={t('issuesTitle')} head={[t('code'), t('issue')]} rows={issues} /> };
  const head = [t('code'), t('status'), t('meaning'), t('repeated')];
  return <Prose id="errorCodes" parts={parts} table={{ head, rows }} />;
}

/** Every code that a withdrawal can fail with, in the words that the panel has for it. */
export function FailureCodes() {
  const t = useTranslations('docs.failureCodes');
  const text = useTranslations('panel.transactions.failures');
  const rows = PAYOUT_FAILURES.map((code) => [
    <code key="code">{code}</code>,
    <code key="status">{isContradiction(code) ? 'review' : 'failed'}</code>,
    text(code),
  ]);
  return <Prose id="failureCodes" table={{ head: [t('code'), t('status'), t('meaning')], rows }} />;
}
