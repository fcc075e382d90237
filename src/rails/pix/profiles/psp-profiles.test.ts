import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { PSPS, type Psp } from '#domain/providers/providers.ts';
import { createApiPixClient, overallDeadline } from '../api-pix-client.ts';
import { CAPABILITIES, type PspDialect } from './psp-profile.ts';
import { dialectOf, findPspProfile, PSP_PROFILES } from './psp-profiles.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const profiles = Object.entries(PSP_PROFILES);
let server: Server | undefined;
afterEach(() => server?.close());

/** Starts a PSP that gives a token for whatever it is asked. */
async function listen() {
  const seen: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    seen.push({ path: req.url, headers: req.headers, body: Buffer.concat(chunks).toString() });
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ access_token: 'token', token_type: 'Bearer', expires_in: 3600 }));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { seen, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test.each(profiles)('every fact of the profile of %s has a public source', (_, profile) => {
  const { baseUrl, tokenUrl, mtls, scopes, can, notes } = profile;
  expect(Object.keys(can).sort()).toEqual([...CAPABILITIES].sort());
  for (const fact of [baseUrl, tokenUrl, mtls, scopes, ...Object.values(can), ...notes]) {
    if (fact !== null) expect(new URL(fact.source).protocol).toBe('https:');
  }
});

test.each(profiles)('the addresses of %s lead to its profile, and to where its tokens are', (_, profile) => {
  if (!profile.baseUrl) throw new Error('A profile without an address is of no use.');
  expect(findPspProfile(profile.baseUrl.value)).toBe(profile);
  expect(dialectOf(profile.baseUrl.value)).toEqual({ ...profile.dialect, tokenUrl: profile.tokenUrl?.value });
});

test.each(profiles)(
  'docs/psp.md has a column for %s with its address, and README.md its name',
  (_, { name, baseUrl }) => {
    const text = readFileSync(join(ROOT, 'docs/psp.md'), 'utf8');
    expect(text).toMatch(new RegExp(`^\\| \\|.* ${name} \\|`, 'm'));
    expect(text).toContain(`\`${baseUrl?.value}`);
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(name);
  },
);

test('docs/psp.md names every profile that "trilho psp check" knows', () => {
  expect(readFileSync(join(ROOT, 'docs/psp.md'), 'utf8')).toContain(`\`--psp ${PSPS.join('|')}\``);
});

test('a token for tests at Banco do Brasil is asked for where those are, at either of its hosts for tests', () => {
  for (const host of ['api.hm.bb.com.br', 'api-pix.hm.bb.com.br']) {
    expect(dialectOf(`https://${host}/pix/v2`).tokenUrl).toBe('https://oauth.hm.bb.com.br/oauth/token');
  }
});

test('a PSP without a profile is spoken to in the standard’s way', () => {
  expect(findPspProfile('https://pix.example.com/api')).toBeNull();
  expect(dialectOf('https://pix.example.com/api')).toEqual({});
});

test('routes are asked in the version that the PSP has them in', () => {
  const { versions = [] } = dialectOf('https://api-pix.sicredi.com.br/api/v2');
  const versionOf = (path: string) => versions.find((rule) => rule.path.test(path))?.version ?? 'v2';
  expect(['/cob/x', '/cob', '/cob?inicio=x', '/cobv/x', '/cobr/x', '/rec?inicio=x', '/pix/x'].map(versionOf)).toEqual([
    'v3',
    'v2',
    'v2',
    'v2',
    'v1',
    'v1',
    'v2',
  ]);
});

test.each<[Psp, string, string, object]>([
  ['bradesco', '/oauth/token', 'grant_type scope', { authorization: 'Basic c2hvcDpzZWNyZXQ=' }],
  ['itau', '/api/oauth/token', 'client_id client_secret grant_type', { 'x-itau-apikey': 'shop' }],
  ['santander', '/oauth/token?grant_type=client_credentials', 'client_id client_secret grant_type', {}],
  [
    'sicoob',
    '/auth/realms/cooperado/protocol/openid-connect/token',
    'client_id grant_type scope',
    { client_id: 'shop' },
  ],
])(
  '%s is asked for a token, and then for a charge, as its own clients and others ask it',
  async (name, path, form, headers) => {
    const { seen, origin } = await listen();
    const { tokenUrl = '', ...dialect } = dialectOf(PSP_PROFILES[name].baseUrl?.value ?? '');
    const { pathname, search } = new URL(tokenUrl);
    const client = createApiPixClient(
      {
        ...{ baseUrl: origin, dialect: { ...dialect, tokenUrl: origin + pathname + search } },
        ...{ clientId: 'shop', clientSecret: 'secret', clock: () => new Date() },
      },
      'cob.read',
    );
    await client.send({ method: 'GET', path: '/cob/x' }, overallDeadline());
    await client.close();
    const [token, cob] = seen;
    expect([token?.path, [...new URLSearchParams(token?.body).keys()].join(' ')]).toEqual([path, form]);
    const { authorization, ...own } = { authorization: undefined, ...headers } as Record<string, string | undefined>;
    expect(token?.headers.authorization).toBe(authorization);
    expect(cob).toMatchObject({ path: '/cob/x', headers: { authorization: 'Bearer token', ...own } });
  },
);

test('the client asks for tokens where they are, the way they are given, and sends the PSP’s query and headers along', async () => {
  const { seen, origin } = await listen();
  const dialect: PspDialect = {
    tokenUrl: `${origin}/elsewhere/token`,
    clientIn: 'body',
    versions: [{ path: /^\/rec\b/, version: 'v1' }],
    headers: dialectOf('https://pix.api.efipay.com.br/v2').headers ?? [],
    headerParameters: dialectOf('https://cdpj.partners.bancointer.com.br/pix/v2').headerParameters ?? [],
  };
  const client = createApiPixClient(
    {
      ...{ baseUrl: `${origin}/pix/v2?x-conta-corrente=123456&app-key=K3Y`, dialect },
      ...{ clientId: 'shop', clientSecret: 'secret', clock: () => new Date() },
    },
    'rec.read',
  );
  for (const path of ['/cob/x', '/rec?inicio=1', '/webhook/key'])
    await client.send({ method: 'GET', path }, overallDeadline());
  await client.close();
  const [token, cob, rec] = seen;
  expect(token?.path).toBe('/elsewhere/token');
  expect(token?.headers.authorization).toBeUndefined();
  expect(Object.fromEntries(new URLSearchParams(token?.body))).toMatchObject({
    client_id: 'shop',
    client_secret: 'secret',
    scope: 'rec.read',
  });
  expect([cob?.path, rec?.path]).toEqual(['/pix/v2/cob/x?app-key=K3Y', '/pix/v1/rec?inicio=1&app-key=K3Y']);
  expect(seen.map(({ headers }) => headers['x-skip-mtls-checking'])).toEqual([undefined, undefined, undefined, 'true']);
  expect(seen.map(({ headers }) => headers['x-conta-corrente'])).toEqual([undefined, '123456', '123456', '123456']);
  expect(client.secrets).toEqual(expect.arrayContaining(['K3Y', '123456']));
});
