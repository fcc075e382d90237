import { describe, expect, test } from 'vitest';
import { DomainError, errorMessage } from './domain-error.ts';
import {
  API_ERROR_CODES,
  type ApiErrorCode,
  ERROR_CATALOGUE,
  type ErrorCode,
  isApiError,
  isPanelError,
} from './error-catalogue.ts';
import { fieldIssue } from './issues.ts';

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

/**
 * The texts that the REST contract gives to the letter (payment-service-interface.md, "Errors").
 */
test.each<[ApiErrorCode, number, string]>([
  ['api_key_missing', 401, 'API key não fornecida'],
  ['api_key_invalid', 401, 'API key inválida'],
  ['kyc_not_approved', 403, 'KYC não aprovado'],
  ['invalid_transaction_type', 400, 'Tipo inválido'],
  ['transaction_not_found', 404, 'Transação não encontrada'],
  ['invalid_amount', 400, 'Valor inválido'],
])('%s is %i, "%s", as the contract has it', (code, status, error) => {
  expect(ERROR_CATALOGUE[code]).toMatchObject({ status, error });
});

describe.each(CODES)('%s', (code) => {
  test('has a status that says whether the caller or the service caused it, and an audience', () => {
    expect([400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 503]).toContain(ERROR_CATALOGUE[code].status);
    expect(isApiError(code) || isPanelError(code)).toBe(true);
  });

  test('is thrown with its code, its cause and its details apart', () => {
    const details = [fieldIssue('amount', 'not_amount')];
    const cause = new Error('relation "merchants" does not exist');
    const thrown = new DomainError(code, { cause, details });
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).toMatchObject({ name: 'DomainError', code, cause, details });
    expect(thrown.message).toBe(code);
  });
});

test.each(API_ERROR_CODES)('%s has two texts in Portuguese for the API', (code) => {
  const { error, message } = ERROR_CATALOGUE[code];
  expect(error).toMatch(/^[A-ZÀ-Ú][^.]*$/);
  expect(message).toMatch(/^[A-ZÀ-Ú].*\.$/);
  expect(`${error} ${message}`).not.toMatch(/\b(the|not|invalid|error|missing|failed)\b/i);
  expect(error.normalize('NFC') + message.normalize('NFC')).toBe(error + message);
});

test.each<ApiErrorCode>(['rail_not_configured', 'own_credentials_required', 'currency_not_configured'])(
  '%s says where in the panel what is missing is configured',
  (code) => {
    expect(ERROR_CATALOGUE[code].message).toMatch(/no painel, em (Provedores|Preferências)/);
  },
);

test.each<[ApiErrorCode, RegExp]>([
  ['kyc_not_approved', /no painel, em Verificação\.$/],
  ['daily_limit_reached', /consulte GET \/payments\/limits\.$/],
  ['night_limit_reached', /consulte GET \/payments\/limits\.$/],
  ['account_exists', /envie outro e-mail\.$/],
])('%s says what to do next', (code, next) => {
  expect(ERROR_CATALOGUE[code].message).toMatch(next);
});

test('an error of the panel alone has no text here: the pages have it, in each language', () => {
  for (const code of CODES.filter((one) => !isApiError(one))) {
    expect(Object.keys(ERROR_CATALOGUE[code])).toEqual(['status', 'audience']);
  }
});

test('no two codes are reported with the same words', () => {
  expect(new Set(API_ERROR_CODES.map((code) => ERROR_CATALOGUE[code].message)).size).toBe(API_ERROR_CODES.length);
});

test('a text contains its params, and keeps a placeholder that has none', () => {
  const thrown = new DomainError('below_minimum', { params: { minimum: 'R$ 1,00' } });
  expect(errorMessage('below_minimum', thrown)).toContain('desta conta, R$ 1,00;');
  expect(errorMessage('below_minimum', new DomainError('below_minimum'))).toContain('{minimum}');
});
