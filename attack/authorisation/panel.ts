import { hashLoginSecret } from '#domain/members/hash-login-secret.ts';
import {
  type BrowserAnswer,
  openBrowser,
  openMember,
  PASSWORD,
  type PanelBrowser,
  setUpAuthenticator,
} from '../../src/testing/panel-browser.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import { ask, comparable, leakIn, type RawAnswer } from '../answers.ts';
import { idsOfNothing, MODES, type Mode, type Owned, type Tenant } from '../tenants.ts';
import { panelBodyError, reasonIn } from './bodies.ts';
import { confirmed } from './confirmed.ts';
import type { Matrix, Visitor } from './matrix.ts';
import { type PanelOperation, panelOperations } from './operations.ts';

/** How long a stream is read; a rejection comes at once, on a slow machine after seconds. */
const STREAM_READ_MS = 15_000;

/**
 * Calls a procedure as a page does; the answer of a stream is its first message. `line` describes
 * the request.
 */
export async function callPage(
  service: TestService,
  operation: PanelOperation,
  call: { mode: Mode | null; owned: Owned; cookie: string; headers?: Record<string, string> },
): Promise<{ answer: RawAnswer; line: string; input: string }> {
  const { mode, owned, cookie, headers = {} } = call;
  const path = `/api/trpc/${mode ? `${mode}/` : ''}${operation.name}`;
  const input = JSON.stringify(operation.rule.input(owned));
  const common = { ...(cookie && { cookie }), ...headers };
  const line = `${operation.type} ${path}`;
  if (operation.type === 'mutation') {
    const init = { origin: service.url, 'content-type': 'application/json', ...common };
    return { answer: await ask(service.url + path, { method: 'POST', headers: init, body: input }), line, input };
  }
  const url = `${service.url}${path}?input=${encodeURIComponent(input)}`;
  if (operation.type === 'query') return { answer: await ask(url, { headers: common }), line, input };
  return { answer: await firstOfStream(url, common), line, input };
}

/**
 * Reads a stream up to its first message. A stream reports a rejection there, and the answer gets
 * the status 401.
 */
async function firstOfStream(url: string, headers: Record<string, string>): Promise<RawAnswer> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(STREAM_READ_MS) });
  let text = '';
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if (/not_signed_in|UNAUTHORIZED|"id"/.test(text)) break;
    }
  } catch {
    // The stream stayed silent: the answer is what was read.
  }
  const rejected = /not_signed_in|UNAUTHORIZED/.test(text);
  return { status: rejected ? 401 : response.status, headers: response.headers, text };
}

export const cookieOf = (browser: PanelBrowser): string =>
  [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** No procedure of a page serves a client without a session, whatever it sends instead. */
export async function attackWithoutSession({ arena, service, victim, visitors }: Matrix): Promise<void> {
  // ASVS 7.2.1
  const tally = arena.attack("pages' procedures without a session");
  for (const operation of panelOperations()) {
    if (operation.rule.who === 'anyone') continue;
    for (const { name, cookie, headers } of visitors) {
      for (const mode of arena.some([...MODES, null])) {
        const owned = victim.owned[mode ?? 'test'];
        const { answer, line, input } = await callPage(service, operation, { mode, owned, cookie, headers });
        const leak = leakIn(answer, victim.canaries, `${input}${cookie}`);
        const failure =
          answer.status !== 401
            ? `${answer.status} instead of 401: ${answer.text.slice(0, 120)}`
            : leak
              ? `shows ${leak}`
              : operation.type === 'subscription'
                ? null
                : panelBodyError(answer);
        tally(`${line} with ${name}`, failure);
      }
    }
  }
}

/**
 * Returns visitors without a valid session of the victim: missing, altered, ended, or of another
 * kind.
 */
export async function badSessions(service: TestService, victim: Tenant, apiKey: string): Promise<Visitor[]> {
  const cookie = cookieOf(victim.browser);
  const name = cookie.match(/([\w.-]*session_token)=/)?.[1] ?? 'trilho.session_token';
  const value = decodeURIComponent(cookie.match(/session_token=([^;]*)/)?.[1] ?? '');
  const [token = '', signature = ''] = value.split('.');
  const altered = `${token}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  const of = (text: string) => `${name}=${encodeURIComponent(text)}`;
  const gone = openBrowser(service);
  await gone.signIn(victim.email, PASSWORD);
  const afterwards = cookieOf(gone);
  await gone.post('/api/auth/sign-out', {});
  const ended = openBrowser(service);
  await ended.signIn(victim.email, PASSWORD);
  const endedToken = decodeURIComponent(cookieOf(ended).match(/session_token=([^;.]*)/)?.[1] ?? '');
  // A session ends at a fixed instant: moving that into the past has the same effect as moving the
  // clock.
  const { rowCount } = await service.deps.db.pool.query('UPDATE sessions SET expires_at = $2 WHERE token = $1', [
    hashLoginSecret(endedToken),
    new Date(service.deps.clock().getTime() - 1),
  ]);
  if (rowCount !== 1) throw new Error('The session that should be past its end was not found.');
  const guarded = await openMember(service, `espera.${victim.email}`);
  await setUpAuthenticator(guarded.browser);
  const waiting = openBrowser(service);
  await waiting.signIn(guarded.email, PASSWORD);
  if (waiting.cookies.size === 0) throw new Error('No sign-in waits for its second factor.');
  return [
    { name: 'a session past its end', cookie: cookieOf(ended), headers: {} },
    // ASVS 9.2.2
    { name: 'a sign-in that waits for its second factor', cookie: cookieOf(waiting), headers: {} },
    { name: 'nothing', cookie: '', headers: {} },
    { name: 'a cookie of letters', cookie: of('a'.repeat(32)), headers: {} },
    { name: 'an empty cookie', cookie: `${name}=`, headers: {} },
    { name: 'a signature alone', cookie: of(`.${signature}`), headers: {} },
    { name: 'an altered signature', cookie: of(altered), headers: {} },
    // ASVS 7.4.1
    { name: 'a session that was signed out', cookie: afterwards, headers: {} },
    // ASVS 7.2.2
    { name: 'an API key', cookie: '', headers: { 'x-api-key': apiKey } },
    {
      name: "a session under another cookie's name",
      cookie: `session_token=${encodeURIComponent(value)}`,
      headers: {},
    },
  ];
}

/**
 * Things of another merchant, or of the other account of one's own, answer as things that do not
 * exist.
 */
export async function attackOtherMembers({ arena, service, victim, attacker }: Matrix): Promise<void> {
  await attacker.browser.call('session.confirm', { password: PASSWORD });
  // ASVS 8.4.1
  const tally = arena.attack("pages' procedures on another tenant's things");
  const nowhere = idsOfNothing(service.deps.clock());
  const cookie = cookieOf(attacker.browser);
  for (const operation of panelOperations()) {
    // A stream, and the end of the session itself, would end the attack.
    if (operation.type === 'subscription' || operation.name === 'security.endOtherSessions') continue;
    for (const mode of MODES) {
      for (const theirs of MODES) {
        if (operation.rule.names && operation.type === 'query' && mode === 'test' && mode === theirs) {
          const own = await callPage(service, operation, { mode, owned: attacker.owned[mode], cookie });
          tally(`${own.line} with its own session`, own.answer.status === 200 ? null : `${own.answer.status}`);
        }
        const owned = victim.owned[theirs];
        if (operation.rule.confirm) await confirmed({ service, attacker });
        const { answer, line, input } = await callPage(service, operation, { mode, owned, cookie });
        const isPublic = operation.rule.who === 'anyone';
        const leak = isPublic ? null : leakIn(answer, victim.canaries, input);
        let failure = leak && `shows ${leak}`;
        if (!failure && operation.rule.names) {
          if (operation.rule.confirm) await confirmed({ service, attacker });
          const absent = await callPage(service, operation, { mode, owned: nowhere, cookie });
          if (comparable(answer) !== comparable(absent.answer))
            failure = `differs from what does not exist: ${answer.text.slice(0, 200)} and ${absent.answer.text.slice(0, 200)}`;
          else if (answer.status < 300 && !/null|\[\]|\{\}/.test(answer.text))
            failure = `${answer.status}: ${answer.text.slice(0, 120)}`;
        }
        tally(`${line} with another merchant's session, ids of ${theirs}`, failure);
      }
    }
  }
  const { status } = await attacker.browser.ask('session.me');
  tally('the attacker is still signed in', status === 200 ? null : `session.me answers ${status}: nothing was proved`);
}

/** A procedure that asks for a fresh second factor or password does nothing without one. */
export async function attackConfirmations({ arena, service, attacker }: Matrix): Promise<void> {
  // ASVS 7.5.1, 7.5.3
  const tally = arena.attack("pages' procedures without the confirmation they ask for");
  const browser = openBrowser(service);
  const signedIn: BrowserAnswer = await browser.signIn(attacker.email, PASSWORD);
  if (signedIn.status !== 200) throw new Error(`Signing in was answered ${signedIn.status}: ${signedIn.text}`);
  for (const operation of panelOperations()) {
    if (!operation.rule.confirm) continue;
    for (const mode of MODES) {
      for (const headers of [{} as Record<string, string>, { 'idempotency-key': `once-${mode}-${operation.name}` }]) {
        const call = { mode, owned: attacker.owned[mode], cookie: cookieOf(browser), headers };
        const { answer, line } = await callPage(service, operation, call);
        const reason = reasonIn(answer);
        const failure =
          answer.status === 403 && reason === 'confirmation_required' ? null : `${answer.status} ${reason}`;
        tally(`${line} right after the sign-in`, failure);
      }
    }
  }
}
