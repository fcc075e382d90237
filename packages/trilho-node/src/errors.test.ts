import { expect, test } from 'vitest';
import { ApiError, toApiError } from './errors.ts';

const init = { requestId: 'req-1', retryAfterMs: null, idempotencyKey: 'k' };

test.each([
  [400, 'InvalidRequestError'],
  [401, 'AuthenticationError'],
  [403, 'PermissionError'],
  [404, 'NotFoundError'],
  [409, 'ConflictError'],
  [413, 'InvalidRequestError'],
  [415, 'InvalidRequestError'],
  [422, 'IdempotencyError'],
  [429, 'RateLimitError'],
  [500, 'ServerError'],
  [503, 'ServerError'],
])('an answer with status %i is a %s', (status, name) => {
  const error = toApiError({ ...init, status, body: {} });
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ name, status, requestId: 'req-1', idempotencyKey: 'k' });
  expect(error.constructor.name).toBe(name);
});

test('an error has the message, the code and the details of both families of bodies', () => {
  const details = [{ field: 'pixKey', message: 'Envie a chave.', code: 'empty' }];
  const ordinary = { success: false, error: 'Entrada inválida', message: 'Corrija.', code: 'invalid_input', details };
  expect(toApiError({ ...init, status: 400, body: ordinary })).toMatchObject({
    message: 'Entrada inválida: Corrija.',
    code: 'invalid_input',
    details,
    warnings: [],
    body: ordinary,
  });
  const crypto = { success: false, message: 'Saldo insuficiente', code: 'insufficient_funds' };
  expect(toApiError({ ...init, status: 400, body: crypto })).toMatchObject({
    message: 'Saldo insuficiente',
    code: 'insufficient_funds',
    details: [],
  });
});

test.each([
  ['paused_until', 'pausedUntil'],
  ['usable_from', 'usableFrom'],
  ['kyc_status', 'kycStatus'],
  ['transaction_id', 'transactionId'],
] as const)('an error has %s as %s, and null without it', (wire, name) => {
  expect(toApiError({ ...init, status: 403, body: { [wire]: 'x' } })[name]).toBe('x');
  expect(toApiError({ ...init, status: 403, body: {} })[name]).toBeNull();
});

test.each([undefined, null, 'text', [], { code: 7, details: 'x' }])(
  'an error whose body is not the API’s (%j) has no code',
  (body) => {
    expect(toApiError({ ...init, status: 502, body })).toMatchObject({
      message: 'The address answered 502, without an error of the API.',
      code: null,
      details: [],
    });
  },
);
