import type { TestService } from '../../src/testing/test-service.ts';
import { ask } from '../answers.ts';
import { restOperations } from '../authorisation/operations.ts';
import type { Arena, Subject } from '../subject.ts';
import { idsOfNothing } from '../tenants.ts';
import { attackHeaders } from './headers.ts';
import { lines, type RawHttpAnswer, sendBytes } from './raw-socket.ts';
import { ODD_BODIES, ODD_HOSTS, PATH_TRICKS, smugglingVectors } from './vectors.ts';

type Target = { arena: Arena; service: TestService; apiKey: string };

/** Bytes, paths, hosts, methods and bodies that were made to be misread. */
export const rawHttp: Subject = {
  name: 'raw HTTP',
  async run(arena) {
    const service = await arena.start({ variables: { DEMO: 'true', RATE_LIMIT_FAILED_KEYS: '1000000' } });
    const { apiKey } = await service.openAccount();
    const target = { arena, service, apiKey };
    const before = await countRows(service);
    await attackParsers(target);
    await attackHosts(target);
    await attackPaths(target);
    await attackMethods(target);
    await attackBodies(target);
    await attackHeaders(arena, service, apiKey);
    await attackWithMutations(target);
    // ASVS 15.3.6
    const tally = arena.attack('rows and prototypes afterwards');
    const after = await countRows(service);
    tally('transactions', after === before ? null : `${after - before} more`);
    tally('({}).polluted', 'polluted' in {} ? 'Object.prototype was changed' : null);
    const { status } = await service.get('/payments/balance', apiKey);
    tally('an honest request', status === 200 ? null : `${status}`);
  },
};

async function countRows({ deps }: TestService): Promise<number> {
  const { rows } = await deps.db.pool.query('SELECT count(*)::int AS count FROM transactions');
  return rows[0].count;
}

/** Internal details, which no answer may show, whatever was sent. */
const INSIDES =
  /\bat \S+ \(|node_modules|\.ts:\d|SELECT |INSERT |relation "|ECONN|root:x:|"name": "trilho"|PRIVATE KEY|v1:/;

function leakOrServerError(answers: readonly RawHttpAnswer[]): string | null {
  for (const { status, text, headers } of answers) {
    if (INSIDES.test(text)) return `shows the inside: ${text.slice(0, 200)}`;
    if (status >= 500) return `${status}: ${text.slice(0, 120)}`;
    if ([...headers.keys()].some((name) => name.startsWith('access-control-'))) return 'permits other origins';
  }
  return null;
}

async function attackParsers({ arena, service, apiKey }: Target): Promise<void> {
  // ASVS 4.2.1
  const tally = arena.attack('bytes that parsers read differently');
  for (const { name, bytes } of smugglingVectors(apiKey)) {
    const answers = await sendBytes(service.url, bytes);
    if (!answers) tally(name, 'neither answered nor closed');
    else if (!isRejection(answers)) tally(name, `answered ${answers.map(({ status }) => status).join(', ')}`);
    else tally(name, leakOrServerError(answers));
  }
}

/**
 * Whether there is one rejection. A rejection before the body is read may be followed by one of the
 * body, which ends the connection.
 */
function isRejection(answers: readonly RawHttpAnswer[]): boolean {
  const [first, second, ...more] = answers;
  if (!first || more.length > 0 || (second && second.status !== 400)) return false;
  return first.status >= 400 && first.status < 500;
}

async function attackHosts({ arena, service, apiKey }: Target): Promise<void> {
  const tally = arena.attack('odd Hosts');
  for (const host of ODD_HOSTS) {
    for (const path of ['/payments/balance', '/api/auth/sign-in/email', '/healthz', '/api/trpc/session.me', '/']) {
      const answers = await sendBytes(
        service.url,
        lines(`GET ${path} HTTP/1.1`, `host: ${host}`, 'connection: close', `x-api-key: ${apiKey}`),
      );
      const statuses = answers?.map(({ status }) => status).join(', ');
      tally(
        `GET ${path} at ${JSON.stringify(host)}`,
        statuses === '400' ? null : `answered ${statuses} instead of 400`,
      );
    }
  }
}

async function attackPaths({ arena, service }: Target): Promise<void> {
  // ASVS 13.4.1, 13.4.3
  const tally = arena.attack('paths that lead elsewhere');
  for (const path of PATH_TRICKS) {
    for (const method of ['GET', 'POST']) {
      const answers = await sendBytes(
        service.url,
        lines(`${method} ${path} HTTP/1.1`, 'host: localhost', 'connection: close', 'content-length: 0'),
      );
      const [answer] = answers ?? [];
      const isRejected = answers?.length === 1 && answer && answer.status >= 400;
      tally(
        `${method} ${path}`,
        isRejected ? leakOrServerError([answer]) : `answered ${answers?.map(({ status }) => status)}`,
      );
    }
  }
}

async function attackMethods({ arena, service, apiKey }: Target): Promise<void> {
  // ASVS 4.1.4, 13.4.4
  const tally = arena.attack('methods that an operation does not have');
  const nothing = idsOfNothing(service.deps.clock());
  const methods = ['TRACE', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND', 'CONNECT', 'QUERY', 'get'];
  const paths = new Set(restOperations().map((operation) => operation.request(nothing).path.split('?')[0] ?? ''));
  for (const path of paths) {
    for (const method of methods) {
      const overrides = ['x-http-method-override: POST', 'x-method-override: POST', 'x-http-method: POST'];
      const answers = await sendBytes(
        service.url,
        lines(
          `${method} ${path} HTTP/1.1`,
          'host: localhost',
          'connection: close',
          `x-api-key: ${apiKey}`,
          ...overrides,
        ),
      );
      const [answer] = answers ?? [];
      const isRejected = answers?.length === 1 && answer && [400, 404, 405, 501].includes(answer.status);
      // HEAD is answered as GET, whatever the headers ask for, and without a body.
      const isHead = method === 'HEAD' && answers?.length === 1 && answer?.text === '';
      tally(
        `${method} ${path}`,
        isRejected || isHead
          ? leakOrServerError([answer as RawHttpAnswer])
          : `answered ${answers?.map(({ status }) => status)}`,
      );
    }
  }
}

async function attackBodies({ arena, service, apiKey }: Target): Promise<void> {
  // ASVS 1.5.3
  const tally = arena.attack('bodies that readers disagree about');
  for (const { name, body, type = 'application/json' } of ODD_BODIES) {
    for (const path of [
      '/payments/transactions',
      '/payments/deposits/crypto',
      '/payments/transfers/pix',
      '/accounts',
      '/api/trpc/test/charges.create',
    ]) {
      const headers = { 'x-api-key': apiKey, 'content-type': type, origin: service.url };
      const answer = await ask(service.url + path, {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? body : new Uint8Array(body),
      });
      const isRejected = answer.status >= 400 && answer.status < 500;
      tally(`${name} to ${path}`, isRejected ? null : `${answer.status}: ${answer.text.slice(0, 120)}`);
    }
  }
}

const MUTATIONS = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  ':',
  '{',
  '}',
  '"',
  '\\',
  '%',
  '/',
  '..',
  '\u00e9',
  '0',
  '-',
  'transfer-encoding: chunked\r\n',
  'content-length: 5\r\n',
  'host: y\r\n',
];

/**
 * Changes a valid request, without a key, by inserting and removing pieces at random: the service
 * does not fail on any of them.
 */
async function attackWithMutations({ arena, service }: Target): Promise<void> {
  // ASVS 16.5.1
  const tally = arena.attack('honest requests with random errors');
  const body = '{"amount":10,"description":"x"}';
  const honest =
    lines(
      'POST /payments/transactions HTTP/1.1',
      'host: localhost',
      'connection: close',
      'content-type: application/json',
      `content-length: ${body.length}`,
    ) + body;
  const pick = (below: number) => Math.floor(arena.random() * below);
  for (let time = 0; time < arena.times(150, 3_000); time++) {
    let bytes = honest;
    for (let errors = 0; errors <= pick(4); errors++) {
      const at = pick(bytes.length);
      const insert = arena.random() < 0.6 ? (MUTATIONS[pick(MUTATIONS.length)] ?? '') : '';
      bytes = bytes.slice(0, at) + insert + bytes.slice(at + pick(6));
    }
    // Whatever is still awaited never comes: the connection is closed from our side.
    const answers = await sendBytes(service.url, `${bytes}\r\n\r\n0\r\n\r\n`);
    tally(JSON.stringify(bytes), answers === null ? null : leakOrServerError(answers));
  }
}
