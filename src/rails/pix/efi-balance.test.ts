import { beforeEach, expect, test } from 'vitest';
import type { PixRail } from '../ports.ts';
import { PROBLEM, UNAVAILABLE } from './testing/examples.ts';
import { setUpRailUnderTest } from './testing/rail-under-test.ts';

const setup = setUpRailUnderTest();
let rail: PixRail;
beforeEach(() => {
  rail = setup.connect({ payouts: { baseUrl: setup.psp.baseUrl, lostAfterMs: 60_000 } });
});

/** Efí's own example (dev.efipay.com.br, "Buscar o saldo da conta"). */
const BALANCE = { saldo: '100.00', bloqueios: { judicial: '0.00', med: '0.00', total: '0.00' } };

test.each([
  ['what is free', BALANCE, 100_00n],
  ['what is blocked as well', { saldo: '80.50', bloqueios: { ...BALANCE.bloqueios, total: '19.50' } }, 100_00n],
  ['what is overdrawn', { ...BALANCE, saldo: '-0.05' }, -5n],
])('the balance is %s', async (_, body, centavos) => {
  setup.psp.answers = [{ status: 200, body }];
  expect(await rail.balance?.()).toEqual({ outcome: 'done', value: centavos });
  expect(setup.psp.calls[0]?.call).toBe('GET /psp/api/v2/gn/saldo?bloqueios=true');
  expect(setup.calls).toMatchObject([{ operation: 'balance', outcome: 'done' }]);
});

test.each([
  ['rejected where these credentials may not know it', { status: 403, body: PROBLEM }, 'rejected'],
  ['unknown where the PSP does not answer', UNAVAILABLE, 'unknown'],
  ['unknown where it is no amount', { status: 200, body: { ...BALANCE, saldo: 'R$ 1' } }, 'unknown'],
])('the balance is %s', async (_, answer, outcome) => {
  setup.psp.answers = [answer, answer, answer];
  expect(await rail.balance?.()).toMatchObject({ outcome });
});

test('a rail that can not send does not know its balance', () => {
  expect(setup.connect().balance).toBeNull();
});
