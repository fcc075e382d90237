import { messagesOf } from '../../src/testing/mails.ts';
import type { BrowserAnswer } from '../../src/testing/panel-browser.ts';
import { openMember } from '../../src/testing/panel-browser.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import type { Arena } from '../subject.ts';
import { newVisitor } from './visitors.ts';

/** Headers that differ between any two answers. */
const OWN_HEADERS = new Set(['x-request-id', 'date', 'ratelimit']);

const shapeOf = ({ status, text, headers }: BrowserAnswer) =>
  JSON.stringify([
    status,
    text,
    [...headers]
      .filter(([name]) => !OWN_HEADERS.has(name))
      .map(([name, value]) => (name === 'set-cookie' ? value.split('=')[0] : `${name}: ${value}`)),
  ]);

/** No response reveals whether an address has a login. */
export async function attackByEnumeration(arena: Arena, service: TestService): Promise<void> {
  // ASVS 6.3.8
  const tally = arena.attack('asking which addresses have a login');
  const known = (await openMember(service, 'conhecida@example.com')).email;
  const unknown = 'ninguem@example.com';
  const merchant = {
    merchant_name: 'Loja',
    document: '12345678909',
    name: 'Ana Lima',
    password: 'frase bem comprida de teste',
  };
  const questions: [string, (email: string) => [path: string, body: object]][] = [
    ['a wrong password', (email) => ['/api/auth/sign-in/email', { email, password: 'não é esta a senha' }]],
    ['a reset', (email) => ['/api/auth/request-password-reset', { email }]],
    ['another confirmation', (email) => ['/api/auth/send-verification-email', { email }]],
    ['a sign-up', (email) => ['/api/trpc/session.signUp', { ...merchant, email }]],
  ];
  for (const [what, question] of questions) {
    const [one, other] = await Promise.all(
      [known, unknown].map((email) => newVisitor(service).post(...question(email))),
    );
    if (!one || !other) continue;
    tally(what, shapeOf(one) === shapeOf(other) ? null : `${shapeOf(one)} and ${shapeOf(other)}`);
  }
}

const FOREIGN = [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  'https:evil.example',
  '\\\\evil.example',
  '/%0d%0alocation:%20//evil.example',
  'javascript:alert(1)',
  'http://127.0.0.1@evil.example',
  '/\t/evil.example',
];

/** No parameter leads a browser, or a link in our mail, to another server. */
export async function attackRedirects(arena: Arena, service: TestService): Promise<void> {
  // ASVS 3.7.2
  const tally = arena.attack('redirects to somebody else');
  const { email, browser } = await openMember(service, 'desviada@example.com');
  for (const foreign of FOREIGN) {
    const encoded = encodeURIComponent(foreign);
    const visitor = newVisitor(service);
    const answers = [
      await browser.get(`/api/auth/verify-email?token=x&callbackURL=${encoded}`),
      await browser.get(`/entrar?next=${encoded}`),
      await browser.get(`/?next=${encoded}&callbackURL=${encoded}`),
      await visitor.post('/api/auth/sign-in/email', { email, password: 'x', callbackURL: foreign }),
      await visitor.post('/api/auth/request-password-reset', { email, redirectTo: foreign }),
      await visitor.post('/api/auth/send-verification-email', { email: `novo-${email}`, callbackURL: foreign }),
    ];
    for (const [index, { headers }] of answers.entries()) {
      const location = headers.get('location');
      const isOurs = location === null || new URL(location, service.url).host === new URL(service.url).host;
      tally(`${foreign} in request ${index}`, isOurs ? null : `leads to ${location}`);
    }
  }
  tally(
    'links in mails',
    messagesOf(service).some((text) => text.includes('evil.example')) ? 'a mail has the foreign address' : null,
  );
}
