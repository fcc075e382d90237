import { TRPCError } from '@trpc/server';
import { expect, test } from 'vitest';
import { DomainError } from '#domain/errors/domain-error.ts';
import { toRestError } from './errors.ts';

test('an error that only the panel has words for is an internal error to a caller of the API', () => {
  const cause = new DomainError('confirmation_required', { params: { factor: 'password' } });
  const answered = toRestError(new TRPCError({ code: 'FORBIDDEN', cause }));
  expect(answered).toMatchObject({ code: 'internal', status: 500, cause });
  expect(JSON.stringify(answered.body)).not.toContain('confirmation');
});

test('an error of both is answered with the catalogue’s words', () => {
  const thrown = new DomainError('withdrawals_paused', { extra: { paused_until: '2026-11-21T12:30:00.000Z' } });
  expect(toRestError(thrown)).toMatchObject({
    status: 403,
    body: { error: 'Saques e devoluções pausados', paused_until: '2026-11-21T12:30:00.000Z' },
  });
});
