import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';
import { findMerchant } from '#db/members/invitations.ts';
import type { Role } from '#domain/members/roles.ts';
import { inviteMember } from '#services/members/invite-member.ts';
import { mailsTo } from './mails.ts';
import type { TestService } from './test-service.ts';

export type BrowserAnswer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };

/** A browser of the panel, for tests over HTTP: it keeps cookies and sends the origin of a page. */
export type PanelBrowser = {
  cookies: Map<string, string>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<BrowserAnswer>;
  get(path: string, headers?: Record<string, string>): Promise<BrowserAnswer>;
  signIn(email: string, password: string): Promise<BrowserAnswer>;
  /** A procedure's answer: `data`, or the `reason` of a rejection. */
  call(procedure: string, input?: object, mode?: 'live' | 'test', headers?: Record<string, string>): Promise<Called>;
  ask(procedure: string, input?: object, mode?: 'live' | 'test'): Promise<Called>;
};

type Called = { status: number; data: unknown; reason: string | null; params: Record<string, string> };

export const PASSWORD = 'uma frase que ninguém adivinha';

let people = 0;
/** An address that no test has used before. */
export const newEmail = (): string => `pessoa-${++people}@example.com`;

/** Who is signed in to a browser, and for which account. */
export const me = (browser: PanelBrowser): Promise<Called> => browser.ask('session.me');

export function openBrowser(service: TestService, options: { userAgent?: string } = {}): PanelBrowser {
  const cookies = new Map<string, string>();
  const request = async (path: string, init: RequestInit): Promise<BrowserAnswer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    if (cookie) headers.set('cookie', cookie);
    headers.set('user-agent', options.userAgent ?? 'vitest');
    const response = await fetch(service.url + path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const mark = pair.indexOf('=');
      if (/max-age=0/i.test(line)) cookies.delete(pair.slice(0, mark));
      else cookies.set(pair.slice(0, mark), pair.slice(mark + 1));
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : {} };
  };
  const browser: PanelBrowser = {
    cookies,
    get: (path, headers = {}) => request(path, { headers }),
    post: (path, body, headers = {}) =>
      request(path, {
        method: 'POST',
        headers: { origin: service.url, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    signIn: (email, password) => browser.post('/api/auth/sign-in/email', { email, password }),
    call: async (procedure, input = {}, mode = 'test', headers = {}) =>
      called(await browser.post(`/api/trpc/${mode}/${procedure}`, input, headers)),
    ask: async (procedure, input, mode = 'test') =>
      called(
        await browser.get(
          `/api/trpc/${mode}/${procedure}${input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''}`,
        ),
      ),
  };
  return browser;
}

function called({ status, body }: BrowserAnswer): Called {
  const error = body.error as { data?: { reason?: string; params?: Record<string, string> } } | undefined;
  const result = body.result as { data?: unknown } | undefined;
  const reason = error?.data?.reason ?? (body.data as { reason?: string } | undefined)?.reason ?? null;
  return { status, data: result?.data, reason, params: error?.data?.params ?? {} };
}

/** Waits for `count` messages to an address. Returns all of them, oldest first. */
export async function mailTo(service: TestService, to: string, count = 1): Promise<string[]> {
  return service.until(`${count} messages to ${to}`, async () => {
    const found = mailsTo(service, to);
    return found.length >= count ? found : null;
  });
}

/** The path and the query of the first link in a message. */
export const linkIn = (message: string | undefined): string => {
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(message ?? '')?.[0] ?? 'http://none');
  return pathname + search;
};

export const SIGN_UP = { merchant_name: 'Loja Verde', document: '12345678909', name: 'João Souza' };

/** The token of the link in a message. */
export const tokenIn = (message: string | undefined): string =>
  new URL(linkIn(message), 'http://here').searchParams.get('token') ?? '';

/**
 * Opens a member who chose their password with the link that was sent: as an invitation, where a
 * merchant has this e-mail or is given, else by signing up. `browser` is signed in.
 */
export async function openMember(service: TestService, email: string, of: { merchantId?: string; role?: Role } = {}) {
  const browser = openBrowser(service);
  const { merchantId = (await findMerchant(service.deps.db, { email }))?.id, role = 'owner' } = of;
  const before = mailsTo(service, email).length;
  let path = '/api/auth/sign-up/complete';
  if (merchantId) {
    await inviteMember(service.deps, { merchantId, email, role, language: 'pt-BR', by: null });
    service.deps.wakeWorkers();
    path = '/api/auth/invitation/accept';
  } else {
    const asked = await browser.post('/api/trpc/session.signUp', { ...SIGN_UP, email });
    if (asked.status !== 200) throw new Error(`Signing up failed: ${asked.text}`);
  }
  const token = tokenIn((await mailTo(service, email, before + 1)).at(-1));
  const answer = await browser.post(path, { token, name: SIGN_UP.name, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`The link did not open: ${answer.text}`);
  return { browser, email, password: PASSWORD };
}

/**
 * Sets an authenticator app up. `code` returns the current code, or the one of `stepsAhead` later,
 * as a used code is rejected. `used`: the code that completed it; half a minute may end since then.
 */
export async function setUpAuthenticator(browser: PanelBrowser, now: () => Date = () => new Date()) {
  const enabled = await browser.post('/api/auth/two-factor/enable', { password: PASSWORD });
  const { totpURI, backupCodes } = enabled.body as { totpURI: string; backupCodes: string[] };
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  const code = codesOf(secret, now);
  const used = await code();
  const verified = await browser.post('/api/auth/two-factor/verify-totp', { code: used });
  if (verified.status !== 200) throw new Error(`Setting the authenticator up failed: ${verified.text}`);
  return { code, used, backupCodes, secret };
}

/**
 * Returns a function that gives the current code of an authenticator, or the one `stepsAhead`
 * later.
 */
export function codesOf(secretBase32: string, now: () => Date) {
  const otp = createOTP(new TextDecoder().decode(base32.decode(secretBase32)));
  return (stepsAhead = 0): Promise<string> => otp.hotp(Math.floor(now().getTime() / 30_000) + stepsAhead);
}
