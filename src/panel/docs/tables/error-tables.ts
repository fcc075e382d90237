import { API_ERROR_CODES, ERROR_CATALOGUE } from '#domain/errors/error-catalogue.ts';
import { isAnswerKept } from '#domain/errors/is-answer-kept.ts';
import { API_ISSUE_CODES, ISSUES } from '#domain/errors/issues.ts';
import { isContradiction, PAYOUT_FAILURES } from '#domain/withdrawals/payout-failures.ts';
import { reference } from '../reference.ts';
import { codeCell, KEPT_MARKS, portuguese, type Table, type Texts } from './table.ts';

const ERROR_STATUSES = [
  '400',
  '401',
  '403',
  '404',
  '405',
  '409',
  '410',
  '413',
  '415',
  '422',
  '429',
  '500',
  '503',
] as const;

export const errorStatusesTable = (t: Texts): Table => ({
  label: t('docs.errors.title'),
  head: [t('docs.errors.status'), t('docs.errors.meaning'), t('docs.errors.repeat')],
  rows: ERROR_STATUSES.map((one) => [
    one,
    t(`docs.errors.statuses.${one}.meaning`),
    t(`docs.errors.statuses.${one}.repeat`),
  ]),
});

/** The codes that a POST can be answered with: only they can meet a repeated Idempotency-Key. */
const CODES_OF_POSTS: ReadonlySet<string> = new Set(
  reference.operations
    .filter(({ method }) => method === 'POST')
    .flatMap(({ errors }) => errors.map(({ body }) => body.code)),
);
const NO_POST = '–';

/**
 * Every code of an error by its status, from the catalogue of errors: the short text as it goes
 * over the wire, what to do, and what a repeated Idempotency-Key brings.
 */
export const errorCodesTable = (t: Texts): Table => ({
  label: t('docs.errorCodes.title'),
  head: [
    t('docs.errorCodes.code'),
    t('docs.errorCodes.status'),
    t('docs.errorCodes.meaning'),
    t('docs.errorCodes.repeated'),
  ],
  rows: API_ERROR_CODES.map((code) => ({ code, ...ERROR_CATALOGUE[code] }))
    .sort((one, other) => one.status - other.status)
    .map(({ code, status, error }) => [
      codeCell(code),
      status,
      `${portuguese(`${error}.`)} ${t.markup(`docs.errorCodes.actions.${code}`, KEPT_MARKS)}`,
      CODES_OF_POSTS.has(code) ? t(`docs.errorCodes.${isAnswerKept(code) ? 'kept' : 'executes'}`) : NO_POST,
    ]),
});

/** Stands for the value of a param that a text names. */
const SOMETHING = '…';

/** Every code of a field's issue. */
export const issuesTable = (t: Texts): Table => ({
  label: t('docs.errorCodes.issuesTitle'),
  head: [t('docs.errorCodes.code'), t('docs.errorCodes.issue')],
  rows: API_ISSUE_CODES.map((code) => [
    codeCell(code),
    t(`issues.${code}`, Object.fromEntries(ISSUES[code].map((param) => [param, SOMETHING]))),
  ]),
});

/** Every code that a withdrawal can fail with, in the words that the panel has for it. */
export const failureCodesTable = (t: Texts): Table => ({
  label: t('docs.failureCodes.title'),
  head: [t('docs.failureCodes.code'), t('docs.failureCodes.status'), t('docs.failureCodes.meaning')],
  rows: PAYOUT_FAILURES.map((code) => [
    codeCell(code),
    codeCell(isContradiction(code) ? 'review' : 'failed'),
    t(`panel.transactions.failures.${code}`),
  ]),
});

export const rateLimitsTable = (t: Texts): Table => ({
  label: t('docs.rateLimits.title'),
  head: [t('docs.rateLimits.header'), t('docs.rateLimits.says')],
  rows: reference.answerHeaders
    .filter(({ name }) => /^(RateLimit-|Retry-After)/.test(name))
    .map(({ name, description, example }) => [codeCell(name), `${description} ${codeCell(String(example))}`]),
});
