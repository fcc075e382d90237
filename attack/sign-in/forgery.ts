import { openMember } from '../../src/testing/panel-browser.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import { ask } from '../answers.ts';
import { panelOperations } from '../authorisation/operations.ts';
import { cookieOf } from '../authorisation/panel.ts';
import type { Arena } from '../subject.ts';
import { idsOfNothing } from '../tenants.ts';

const SIGN_IN_PATHS = [
  'sign-out',
  'two-factor/disable',
  'two-factor/enable',
  'change-password',
  'passkey/delete-passkey',
  'sign-in/email',
  'reset-password',
];

/** Every change, requested by a foreign page in the browser of a signed-in member. */
export async function attackByForgery(arena: Arena, service: TestService): Promise<void> {
  // ASVS 3.5.1, 3.5.2
  const tally = arena.attack('requests that another page sends');
  const { browser } = await openMember(service, 'forjada@example.com');
  const cookie = cookieOf(browser);
  const nothing = idsOfNothing(service.deps.clock());
  const json = { 'content-type': 'application/json' };
  const ways: [string, Record<string, string>][] = [
    ['another origin', { origin: 'https://evil.example', ...json }],
    ['the null origin', { origin: 'null', ...json }],
    ['no origin', { ...json }],
    ['a sibling host', { origin: service.url.replace('//', '//panel.'), ...json }],
    ['a host that begins with ours', { origin: `${service.url}.evil.example`, ...json }],
    ['another port', { origin: 'http://127.0.0.1:1', ...json }],
    ['ours as another scheme', { origin: service.url.replace('http:', 'ftp:'), ...json }],
    ['cross-site by its own words', { origin: service.url, 'sec-fetch-site': 'cross-site', ...json }],
    ['same-site by its own words', { origin: service.url, 'sec-fetch-site': 'same-site', ...json }],
    ['a form', { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { origin: service.url, 'content-type': 'text/plain' }],
    ['a form of our own', { origin: service.url, 'content-type': 'application/x-www-form-urlencoded' }],
    ['a form of parts', { origin: service.url, 'content-type': 'multipart/form-data; boundary=x' }],
  ];
  const changes = panelOperations().filter(({ type }) => type === 'mutation');
  const targets = [
    ...changes.map(({ name, rule }) => ({ path: `/api/trpc/test/${name}`, body: JSON.stringify(rule.input(nothing)) })),
    ...SIGN_IN_PATHS.map((path) => ({
      path: `/api/auth/${path}`,
      body: '{"password":"x","newPassword":"uma frase comprida","token":"x"}',
    })),
  ];
  for (const { path, body } of targets) {
    for (const [way, headers] of arena.isLong
      ? ways
      : [...arena.some(ways.slice(0, 4)), ...arena.some(ways.slice(4, 9)), ...arena.some(ways.slice(9))]) {
      const answer = await ask(service.url + path, { method: 'POST', headers: { cookie, ...headers }, body });
      tally(
        `${path} from ${way}`,
        [403, 415].includes(answer.status) ? null : `${answer.status}: ${answer.text.slice(0, 120)}`,
      );
    }
    const got = await ask(`${service.url}${path}?input=${encodeURIComponent(body)}`, { headers: { cookie } });
    tally(`GET ${path}`, got.status === 405 ? null : `${got.status}`);
  }
  const { status } = await browser.ask('session.me');
  tally('the member is still signed in', status === 200 ? null : `session.me answers ${status}`);
}
