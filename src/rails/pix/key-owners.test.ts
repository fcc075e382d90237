import { beforeEach, expect, test } from 'vitest';
import type { PixRail } from '../ports.ts';
import { PROBLEM, UNAVAILABLE } from './testing/examples.ts';
import { setUpRailUnderTest } from './testing/rail-under-test.ts';

const setup = setUpRailUnderTest();
let rail: PixRail;
beforeEach(() => {
  rail = setup.connect({ keyOwners: { baseUrl: setup.psp.baseUrl } });
});

const QUERY = { pixKey: 'maria@example.com', amountCentavos: 37_16n };
const OWNER = { chave: QUERY.pixKey, titular: { identificacao: { nome: 'Maria Souza', cpf: '***.456.789-**' } } };

test('the owner of a key is asked for with the amount, and the key is in no path', async () => {
  setup.psp.answers = [{ status: 200, body: OWNER }];
  const value = { name: 'Maria Souza', document: '***.456.789-**' };
  expect(await rail.findKeyOwner?.(QUERY)).toEqual({ outcome: 'done', value });
  expect(setup.psp.calls[0]?.call).toBe('POST /psp/api/v1/chaves/titular');
  expect(JSON.parse(setup.psp.calls[0]?.body ?? '')).toEqual({ chave: 'maria@example.com', valor: '37.16' });
});

test.each([
  ['null where the directory does not know the key', { status: 404, body: { ...PROBLEM, status: 404 } }, 'done'],
  ['not known where the name can’t be read', { status: 200, body: { ...OWNER, titular: {} } }, 'unknown'],
  ['not known where the PSP does not answer', UNAVAILABLE, 'unknown'],
])('the owner of a key is %s', async (_, answer, outcome) => {
  setup.psp.answers = [answer, answer, answer];
  const found = await rail.findKeyOwner?.(QUERY);
  expect(found).toMatchObject({ outcome });
  if (found?.outcome === 'done') expect(found.value).toBeNull();
  else expect(found?.reason).not.toContain('maria');
});

test('a PSP without such a route is not asked', () => {
  expect(setup.connect().findKeyOwner).toBeNull();
});
