import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AskPspOptions, askPsp, type PspFinding, type RouteName } from './ask-psp.ts';
import { efi } from './profiles/efi.ts';
import type { PspProfile } from './profiles/psp-profile.ts';

type Answer = { status: number; body?: unknown };
type Call = { method: string; path: string; query: URLSearchParams; headers: IncomingHttpHeaders; body: string };

const NOW = new Date('2026-11-23T12:00:00.000Z');
const PIX_KEY = 'loja@example.com';
const problem = (status: number, type: string, detail = 'Entidade não encontrada.'): Answer => ({
  status,
  body: { type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title: 'Erro', status, detail },
});
const NO_ROUTE = problem(404, 'NaoEncontrado');

/** The PSP's answers by the beginning of the path; any other path is no route. */
let answers: Record<string, Answer>;
/** Scopes for which the PSP issues no token. */
let rejectedScopes: string[];
let noRoute: Answer;
let calls: Call[];
let server: Server;
let baseUrl: string;

beforeEach(async () => {
  answers = {};
  rejectedScopes = [];
  noRoute = NO_ROUTE;
  calls = [];
  server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://psp');
    const body = Buffer.concat(chunks).toString();
    calls.push({ method: req.method ?? '', path: pathname, query: searchParams, headers: req.headers, body });
    const found = Object.entries(answers).find(([path]) => pathname.startsWith(path))?.[1];
    const { status, body: json } = pathname.endsWith('/token') ? token(body) : (found ?? noRoute);
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(typeof json === 'string' ? json : JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`;
});
afterEach(
  () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
);

function token(body: string): Answer {
  const scope = new URLSearchParams(body).get('scope') ?? '';
  if (rejectedScopes.includes(scope)) return { status: 400, body: { error: 'invalid_scope' } };
  return { status: 200, body: { access_token: `token-of-${scope}`, token_type: 'Bearer', expires_in: 3600 } };
}

const askAll = (options: Partial<AskPspOptions> = {}) =>
  askPsp({
    ...{ baseUrl, clientId: 'shop', clientSecret: 's3cret', pixKey: PIX_KEY, payoutUrl: null, clock: () => NOW },
    ...options,
  });

async function askAbout(name: RouteName, options: Partial<AskPspOptions> = {}): Promise<PspFinding> {
  const finding = (await askAll(options)).find((each) => each.name === name);
  if (!finding) throw new Error(`${name} was not asked about.`);
  return finding;
}

describe('a route of the PSP', () => {
  test.each<[string, Answer, PspFinding['answer']]>([
    ['a list', { status: 200, body: { parametros: {}, cobs: [] } }, 'can'],
    ['that it is empty, with 204', { status: 204 }, 'can'],
    ['no JSON', { status: 200, body: 'Welcome' }, 'unclear'],
    ['401', problem(401, 'AcessoNegado'), 'not_allowed'],
    ['403', problem(403, 'AcessoNegado'), 'not_allowed'],
    ['400 about a scope', problem(400, 'RequisicaoInvalida', 'A credencial não possui os escopos.'), 'not_allowed'],
    ['another 400', problem(400, 'CobVConsultaInvalida', 'inicio'), 'unclear'],
    ['404 with a problem', NO_ROUTE, 'cannot'],
    ['404 without one', { status: 404, body: 'Not Found' }, 'cannot'],
    ['405', { status: 405 }, 'cannot'],
    ['501', { status: 501 }, 'cannot'],
    ['a redirect', { status: 302 }, 'unclear'],
  ])('that lists and answers %s: %s', async (_, answer, expected) => {
    answers = { '/api/v2/cobv': answer };
    expect(await askAbout('cobv')).toMatchObject({ route: 'GET /cobv', scope: 'cobv.read', answer: expected });
  });

  test.each<[string, Answer, PspFinding['answer']]>([
    ['the thing itself', { status: 200, body: { txid: 'x' } }, 'can'],
    ['that there is none', problem(404, 'CobNaoEncontrado'), 'can'],
    ['so in Efí’s way', { status: 400, body: { nome: 'cobranca_nao_encontrada', mensagem: 'x' } }, 'can'],
    ['404 as for any path', NO_ROUTE, 'unclear'],
    ['404 without a problem', { status: 404, body: '<html>' }, 'cannot'],
  ])('that is asked for one and answers %s: %s', async (_, answer, expected) => {
    answers = { '/api/v2/cob/': answer };
    expect(await askAbout('cob')).toMatchObject({ answer: expected });
  });

  test('that fails, or limits the rate, has not answered', async () => {
    answers = { '/api/v2/cobv': { status: 503 }, '/api/v2/rec': { status: 429 } };
    expect((await askAll()).filter(({ answer }) => answer === 'no_answer').map(({ name }) => name)).toEqual([
      'cobv',
      'rec',
    ]);
  });

  test('is left out once another has shown that the PSP is unreachable', async () => {
    server.close();
    const findings = (await askAll()).filter(({ answer }) => answer !== 'not_asked');
    expect(new Set(findings.map(({ answer }) => answer))).toEqual(new Set(['no_answer']));
    expect(findings.filter(({ detail }) => detail.startsWith('left out'))).toHaveLength(findings.length - 1);
  });

  test('with a type of problem of its own is distinguished from a path that does not exist', async () => {
    noRoute = { status: 404, body: { title: 'No such page' } };
    answers = { '/api/v2/solicrec/': NO_ROUTE };
    expect(await askAbout('solicrec')).toMatchObject({ answer: 'can' });
    expect(await askAbout('lotecobv')).toMatchObject({ answer: 'cannot' });
  });
});

describe('a scope without a token', () => {
  beforeEach(() => {
    rejectedScopes = ['rec.read'];
  });

  test('is not allowed where the route is there', async () => {
    answers = { '/api/v2/rec': problem(403, 'AcessoNegado') };
    expect(await askAbout('rec')).toMatchObject({
      answer: 'not_allowed',
      detail: 'rec.read: token: HTTP 400 invalid_scope',
    });
  });

  test('is a route that the PSP does not have where the route says so', async () => {
    expect(await askAbout('rec')).toMatchObject({ answer: 'cannot' });
  });
});

test('nothing is written: GETs only, each with a token for its own scope, lists of one minute', async () => {
  await askAll({ payoutUrl: new URL(baseUrl).origin });
  const tokens = calls.filter(({ path }) => path.endsWith('/oauth/token'));
  const questions = calls.filter(({ path }) => !path.endsWith('/oauth/token'));
  expect(tokens.every(({ method }) => method === 'POST')).toBe(true);
  expect(questions.length).toBeGreaterThan(10);
  expect(questions.filter(({ method, body }) => method !== 'GET' || body !== '')).toEqual([]);
  expect(questions.every(({ headers }) => /^Bearer token-of-[a-z.]+\.read$/.test(headers.authorization ?? ''))).toBe(
    true,
  );
  const lists = questions.filter(({ query }) => query.has('inicio'));
  expect(lists.map(({ path }) => path)).toEqual([
    '/api/v2/pix',
    '/api/v2/cobv',
    '/api/v2/lotecobv',
    '/api/v2/rec',
    '/api/v2/cobr',
  ]);
  for (const { query } of lists) {
    expect(Object.fromEntries(query)).toEqual({ inicio: '2026-11-23T11:59:00.000Z', fim: NOW.toISOString() });
  }
  await askAll({ dialect: { listsInSeconds: true }, only: ['list'] });
  expect(calls.at(-1)?.query.get('fim')).toBe('2026-11-23T12:00:00Z');
});

test('routes of the PSP’s own are asked where they are known, and are not guessed', async () => {
  const findings = await askAll();
  expect(findings.filter(({ answer }) => answer === 'not_asked').map(({ name }) => name)).toEqual([
    'payouts',
    'disputes',
    'balance',
    'webhookMtls',
  ]);
  answers = {
    '/v2/gn/saldo': { status: 200, body: { saldo: '1.00' } },
    '/v2/gn/infracoes': { status: 200, body: { infracoes: [] } },
    '/v2/gn/pix/enviados/': problem(404, 'PixEnviadoNaoEncontrado'),
  };
  const profile: PspProfile = efi;
  expect(await askAbout('disputes', { profile })).toMatchObject({ answer: 'can', scope: 'gn.infractions.read' });
  expect(await askAbout('balance', { profile })).toMatchObject({ answer: 'can', scope: 'gn.balance.read' });
  expect(await askAbout('payouts', { profile })).toMatchObject({ answer: 'can', scope: 'gn.pix.send.read' });
});

test('a finding holds neither the key nor the secret, whatever the PSP quotes', async () => {
  answers = { '/api/v2/webhook/': problem(403, 'AcessoNegado', `${PIX_KEY} is not of shop:s3cret`) };
  const finding = await askAbout('webhook');
  expect(finding).toMatchObject({ route: 'GET /webhook/{chave}', answer: 'not_allowed' });
  expect(JSON.stringify(finding)).not.toMatch(/s3cret|loja/);
});
