import { describe, expect, test } from 'vitest';
import { DomainError, ERROR_CATALOGUE, type ErrorCode } from './errors.ts';

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

/** The texts that the REST contract gives to the letter (payment-service-interface.md, "Errors"). */
test.each<[ErrorCode, number, string]>([
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
  const { status, error, message } = ERROR_CATALOGUE[code];

  test('has a status that says whose fault it is, and two texts in Portuguese', () => {
    expect([400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503]).toContain(status);
    expect(error).toMatch(/^[A-ZÀ-Ú][^.]*$/);
    expect(message).toMatch(/^[A-ZÀ-Ú].*\.$/);
    expect(`${error} ${message}`).not.toMatch(/\b(the|not|invalid|error|missing|failed)\b/i);
    expect(error.normalize('NFC') + message.normalize('NFC')).toBe(error + message);
  });

  test('carries what happened for the log, and what to do for the wire, apart', () => {
    const cause = new Error('relation "merchants" does not exist');
    const thrown = new DomainError(code, { cause, details: [{ field: 'amount', message: 'x' }] });
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).toMatchObject({ name: 'DomainError', code, cause, details: [{ field: 'amount', message: 'x' }] });
    expect(thrown.message).toBe(code);
  });
});

test('no two codes are reported with the same words', () => {
  expect(new Set(CODES.map((code) => ERROR_CATALOGUE[code].message)).size).toBe(CODES.length);
});
