import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { makeCertificates } from '#rails/pix/testing/make-certificates.ts';
import { startScriptedPsp } from '#rails/pix/testing/scripted-psp.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { withContext } from './context.ts';
import { createProgram } from './program.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** As a shell beside the running service has it. */
function stubEnvironment(): void {
  const variables = { DATABASE_URL: trilho.databaseUrl, DATABASE_OWNER_URL: trilho.ownerUrl, DEMO: 'true' };
  const where = { TRILHO_HOME: trilho.home, MASTER_KEYS: trilho.masterKeys, SANDBOX_URL: `${trilho.url}/sandbox` };
  for (const [name, value] of Object.entries({ ...variables, ...where })) vi.stubEnv(name, value);
}

/** What the command prints, typed beside the running service. */
async function typed(...args: string[]): Promise<string> {
  stubEnvironment();
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  await createProgram().parseAsync(['psp', 'check', ...args], { from: 'user' });
  return String(print.mock.calls[0]?.[0]);
}

test('psp check asks the sandbox that runs here, and its table marks the routes that Trilho needs', async () => {
  const lines = (await typed('--sandbox')).split('\n');
  expect(lines[0]).toContain(
    'there is no profile of this PSP (efi, sicredi, inter, bb, itau, bradesco, santander, sicoob)',
  );
  expect(lines.find((line) => line.startsWith('cob *'))).toMatch(
    /^cob \* +can +unknown +GET \/cob\/\{txid\}: HTTP 404 CobNao/,
  );
  expect(lines.find((line) => line.startsWith('cobv'))).toMatch(/^cobv +can’t +unknown +GET \/cobv: /);
});

test('psp check asks an account’s own PSP with its credentials, and ends with exit code 1 where PIX can’t be taken there', async () => {
  const { ca, server, client } = await makeCertificates();
  const psp = await startScriptedPsp({ ...server, ca, requestCert: true, rejectUnauthorized: true });
  const value = {
    ...{ baseUrl: psp.baseUrl, clientId: 'loja', clientSecret: 'segredo', pixKey: 'loja@example.com' },
    tls: { ...client, ca },
  };
  const { accountId } = await trilho.openAccount({ credentials: [{ kind: 'api_pix', value }] });
  const answer = JSON.parse(await typed('--account', accountId, '--psp', 'inter', '--json')) as {
    usable: boolean;
    profile: string;
    routes: { name: string; answer: string; documented: boolean | null; differs: boolean; source: string | null }[];
  };
  await psp.close();
  expect(answer).toMatchObject({ profile: 'Inter', usable: false });
  expect(answer.routes.find(({ name }) => name === 'lotecobv')).toMatchObject({
    ...{ answer: 'cannot', documented: true, differs: true },
    source: expect.stringMatching(/^https:/),
  });
  expect(process.exitCode).toBe(1);
  expect(JSON.stringify(answer)).not.toContain('segredo');
});

test('psp check rejects an account without credentials of its own, and says why', async () => {
  const { accountId } = await trilho.openAccount();
  await expect(typed('--account', accountId)).rejects.toThrow('This account has no credentials of its own');
});

test('psp check names what is wrong with a client certificate, which a PSP only rejects', async () => {
  const { client, server } = await makeCertificates();
  const value = {
    ...{ baseUrl: 'https://127.0.0.1:1', clientId: 'loja', clientSecret: 'segredo', pixKey: 'loja@example.com' },
    tls: { cert: client.cert, key: server.key },
  };
  const { accountId } = await trilho.openAccount({ credentials: [{ kind: 'api_pix', value }] });
  expect(await typed('--account', accountId)).toContain('The private key is not that of the client certificate.');
});

test('a command has the time of the database’s machine, however wrong the clock of its own', async () => {
  stubEnvironment();
  const actual = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: actual + 7_200_000 });
  try {
    const at = await withContext(async ({ clock }) => clock().getTime(), 'nothing');
    expect(Math.abs(at - actual)).toBeLessThan(600_000);
  } finally {
    vi.useRealTimers();
  }
});
