import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAccounts } from '#db/accounts/accounts.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

const EMAIL = 'loja@example.com';
const CPF = { document: '52998224725', documentType: 'cpf' } as const;
const CNPJ = { document: '11222333000181', documentType: 'cnpj' } as const;

test('an account of a merchant that exists is opened for its own document alone: a status of another one verifies nothing', async () => {
  const loja = { email: EMAIL, name: 'Loja' };
  await trilho.openAccount({ ...loja, ...CPF, mode: 'test', kycStatus: 'pending' });
  const other = trilho.openAccount({ ...loja, ...CNPJ, mode: 'live', kycStatus: 'approved' });
  await expect(other).rejects.toThrow('The merchant with this e-mail has another CPF or CNPJ');
  const accounts = async () => (await listAccounts(trilho.deps.db)).filter(({ email }) => email === EMAIL);
  expect(await accounts()).toMatchObject([{ mode: 'test', kyc_status: 'pending' }]);
  await trilho.openAccount({ ...loja, ...CPF, mode: 'live', kycStatus: 'approved' });
  expect((await accounts()).map(({ mode, kyc_status }) => [mode, kyc_status])).toEqual([
    ['test', 'approved'],
    ['live', 'approved'],
  ]);
});
