import type { IncomingMessage, ServerResponse } from 'node:http';
import { insertAudit } from '#db/audit/audit.ts';
import type { Database } from '#db/connection/database.ts';
import { findMerchant } from '#db/members/invitations.ts';
import {
  endSessionOf,
  findAnyTotpSecret,
  findSignedIn,
  findTotpSecret,
  unlockSecondFactor,
} from '#db/members/members.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ERROR_CATALOGUE, isPanelError, type PanelErrorCode } from '#domain/errors/error-catalogue.ts';
import type { FieldIssue } from '#domain/errors/issues.ts';
import { PASSWORD_LENGTH_MAX } from '#domain/members/password.ts';
import { parseEmail } from '#domain/values/contact.ts';
import { isStorableJson } from '#domain/values/storable-text.ts';
import type { Member, Origin } from '#services/api-keys/principal.ts';
import { recordAudit } from '#services/audit/record-audit.ts';
import type { RefusalAudit } from '#services/audit/record-refusal.ts';
import type { Deps } from '#services/deps.ts';
import { demandStrongPassword } from '#services/members/new-password.ts';
import { tellOwnChange } from '#services/members/notify-change.ts';
import { type ConfirmMember, refuseWhilePaused } from '#services/sign-in/confirm-member.ts';
import { cookieName, isTls } from '#services/sign-in/cookie-name.ts';
import { ADDRESS_HEADER, type Auth, SESSION_SECONDS } from '#services/sign-in/create-auth.ts';
import { createDeviceCookies, DEVICE_COOKIE_SECONDS } from '#services/sign-in/device-cookies.ts';
import { findPendingMember } from '#services/sign-in/find-pending-member.ts';
import { demandNoWait, type GuessLimits } from '#services/sign-in/guess-limits.ts';
import { type About, type Attempt, noteFailure } from '#services/sign-in/note-failure.ts';
import { pauseWithdrawals } from '#services/sign-in/pause-withdrawals.ts';
import { createSignedCookies } from '#services/sign-in/signed-cookies.ts';
import { spendTotpCode } from '#services/sign-in/spend-totp-code.ts';
import { jsonRequest, jsonResponse } from '../http/json.ts';
import type { RequestContext } from '../http/request-context.ts';
import { readJsonObject } from '../rest/body.ts';
import { cookieOf } from './cookie-of.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { type LinkPath, openLink } from './open-link.ts';
import { isFromOurPage } from './same-origin.ts';

/** What better-auth serves to browsers, and what we ask before. Anything else of it is not reachable. */
const ENDPOINTS: Record<string, { method: 'GET' | 'POST'; rule: Rule }> = {
  '/sign-in/email': { method: 'POST', rule: 'password' },
  '/sign-out': { method: 'POST', rule: 'free' },
  // Ours, not better-auth's: where the links of our messages are used.
  '/sign-up/complete': { method: 'POST', rule: 'link' },
  '/invitation/accept': { method: 'POST', rule: 'link' },
  '/request-password-reset': { method: 'POST', rule: 'mail' },
  '/reset-password': { method: 'POST', rule: 'reset' },
  '/two-factor/verify-totp': { method: 'POST', rule: 'totp' },
  '/two-factor/verify-backup-code': { method: 'POST', rule: 'backup_code' },
  '/two-factor/enable': { method: 'POST', rule: 'own_password' },
  '/two-factor/disable': { method: 'POST', rule: 'guarded' },
  '/two-factor/generate-backup-codes': { method: 'POST', rule: 'guarded' },
  '/change-password': { method: 'POST', rule: 'own_password' },
  '/passkey/generate-register-options': { method: 'GET', rule: 'guarded' },
  '/passkey/verify-registration': { method: 'POST', rule: 'guarded' },
  '/passkey/delete-passkey': { method: 'POST', rule: 'guarded' },
  '/passkey/generate-authenticate-options': { method: 'GET', rule: 'free' },
  '/passkey/verify-authentication': { method: 'POST', rule: 'passkey' },
};

type Rule =
  | 'free'
  | 'link'
  | 'reset'
  | 'password'
  | 'mail'
  | 'totp'
  | 'backup_code'
  | 'own_password'
  | 'guarded'
  | 'passkey';

/** Where a session begins that was not there before: others give one that is there a new cookie. */
const SIGNS_IN: ReadonlySet<Rule> = new Set(['password', 'link', 'totp', 'backup_code', 'passkey']);

/** What each of them tries, for the audit of what failed; the others' failures are nobody's. */
const ATTEMPTS: Partial<Record<Rule, Attempt>> = {
  password: 'password',
  mail: 'mail',
  totp: 'second_factor',
  backup_code: 'second_factor',
  passkey: 'passkey',
  own_password: 'setting',
  guarded: 'setting',
};

/** Where better-auth asks for the password of now. */
const CHECK_PASSWORD: ReadonlySet<string> = new Set([
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
]);

/** What is notified and noted after a change to how a member signs in. */
const CHANGES = {
  '/two-factor/disable': { action: 'two_factor.disabled', what: 'second_factor_off' },
  '/two-factor/generate-backup-codes': { action: 'two_factor.recovery_codes_made', what: 'recovery_codes' },
  '/change-password': { action: 'password.changed', what: 'password' },
  '/passkey/verify-registration': { action: 'passkey.added', what: 'passkey_added' },
  '/passkey/delete-passkey': { action: 'passkey.removed', what: 'passkey_removed' },
} as const;

/** What may leave a member without a second factor. */
const TAKES_AWAY: ReadonlySet<string> = new Set(['two_factor.disabled', 'passkey.removed']);

/** A header by which a page says that it uses a passkey to confirm a sensitive act, not to sign in. */
const CONFIRM_HEADER = 'x-trilho-confirm';
/** The bit of the authenticator's data that says that it asked who holds it (WebAuthn section 6.1). */
const USER_VERIFIED = 0x04;
const FLAGS_OFFSET = 32;
/** A code that better-auth accepted a moment ago may be one step older by now. */
const STEPS_OFF_AFTERWARDS = 2;

/** The paths of what is served below AUTH_PREFIX. */
export const AUTH_PATHS: readonly string[] = Object.keys(ENDPOINTS);

export const AUTH_PREFIX = '/api/auth/';

export type AuthHandler = {
  /** Who has signed in with this request's session; null: nobody. */
  memberOf(req: IncomingMessage): Promise<Member | null>;
  originOf(req: IncomingMessage): Origin;
  /** A request's headers as better-auth gets them. */
  headersOf(req: IncomingMessage): Headers;
  /** The line that signs this request's session again, where an older master key signed it; else null. */
  renewedSession(req: IncomingMessage): string | null;
  /** Answers what is below /api/auth. Errors (DomainError): those of a body that can't be read, route_not_found, method_not_allowed. */
  handle(req: IncomingMessage, res: ServerResponse, requestContext: RequestContext): Promise<void>;
};

/** better-auth behind rules of ours: which of its endpoints are open, from where, how often, and what a session has to prove first. */
export function createAuthHandler(parts: {
  deps: Deps;
  /** Where a request's session is looked up. */
  databaseOf: (req: IncomingMessage) => Database;
  auth: Auth;
  limits: GuessLimits;
  confirm: ConfirmMember;
  clientAddress: (req: IncomingMessage) => string;
  refusals: RefusalAudit;
}): AuthHandler {
  const { deps, databaseOf, auth, limits, confirm, clientAddress, refusals } = parts;
  /** Whom a request was about, as far as it came. */
  const abouts = new WeakMap<IncomingMessage, About>();
  /** Requests that prove something in a session that is there. */
  const inSession = new WeakSet<IncomingMessage>();
  const { publicUrl } = deps.settings;
  const sessionCookie = cookieName('session_token', publicUrl);
  const deviceCookie = cookieName('device', publicUrl);
  const secondFactorCookie = cookieName('two_factor', publicUrl);
  const attributes = (seconds: number) =>
    `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${isTls(publicUrl) ? '; Secure' : ''}`;
  const devices = createDeviceCookies(deps.secretBox);
  const cookies = createSignedCookies(deps.secretBox);
  const deviceCookieFor = (email: string) =>
    `${deviceCookie}=${devices.issue(email)}; ${attributes(DEVICE_COOKIE_SECONDS)}`;

  const originOf = (req: IncomingMessage): Origin => ({
    ipAddress: clientAddress(req),
    userAgent: req.headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
  });

  const memberOf: AuthHandler['memberOf'] = async (req) => {
    const token = cookies.read(cookieOf(req, sessionCookie));
    if (!token) return null;
    const found = await findSignedIn(databaseOf(req).pool, token, deps.clock());
    return found && { kind: 'member', ...found };
  };

  const headersOf = (req: IncomingMessage) => {
    const headers = forwardedHeaders(req, publicUrl);
    headers.set('cookie', cookies.renewAll(headers.get('cookie') ?? ''));
    return headers;
  };

  const forward = async (req: IncomingMessage, path: string, body: object | undefined): Promise<Response> => {
    const headers = headersOf(req);
    headers.set(ADDRESS_HEADER, clientAddress(req));
    // The address is ours: what the client calls us has no say in which endpoint is asked.
    const url = new URL(`/api/auth${path}`, publicUrl);
    return auth.handler(body ? jsonRequest(url, body, headers) : new Request(url, { headers }));
  };

  const signIn = async (req: IncomingMessage, path: string, body: Record<string, unknown>): Promise<Response> => {
    const login = parseEmail(String(body.email ?? ''));
    if (login === null) return noEmail();
    abouts.set(req, { email: login });
    if (String(body.password ?? '').length > PASSWORD_LENGTH_MAX) return refusal('invalid_input');
    const attempt = { login, address: clientAddress(req), device: devices.read(cookieOf(req, deviceCookie), login) };
    demandNoWait(await limits.takeSignIn(attempt));
    const answer = await forward(req, path, { ...body, email: login }).catch(async (error: unknown) => {
      // It was refused before it was tried: that is no guess.
      if (error instanceof DomainError) await limits.signInSucceeded(attempt);
      throw error;
    });
    if (answer.ok) await limits.signInSucceeded(attempt);
    return answer;
  };

  /** Whose second factor is being guessed: the member's of the session, or of the sign-in that waits for it; null: nobody's. */
  const guessedMember = async (req: IncomingMessage, member: Member | null): Promise<string | null> => {
    if (member) return member.memberId;
    const waiting = cookies.read(cookieOf(req, secondFactorCookie));
    return waiting === null ? null : ((await findPendingMember(auth, waiting, deps.clock()))?.memberId ?? null);
  };

  /** Counts the guess before it is looked at, together with those at every other place that asks for a second factor. */
  const guess = async (req: IncomingMessage, path: string, code: string, member: Member | null) => {
    const guessed = await guessedMember(req, member);
    if (guessed !== null) abouts.set(req, { memberId: guessed });
    if (guessed !== null) demandNoWait(await limits.takeConfirmationGuess(guessed));
    const answer = await forward(req, path, { code });
    return { answer, succeeded: async () => guessed !== null && limits.confirmationSucceeded(guessed) };
  };

  const totp = async (
    req: IncomingMessage,
    path: string,
    body: Record<string, unknown>,
    member: Member | null,
  ): Promise<Response> => {
    const wasOn = member !== null && (await findTotpSecret(deps.db, member.memberId)) !== null;
    if (member) inSession.add(req);
    if (member && !wasOn) refuseWhilePaused(member, deps.clock());
    const { answer, succeeded } = await guess(req, path, String(body.code ?? ''), member);
    if (!answer.ok) return answer;
    const { token, user } = (await answer.clone().json()) as { token: string; user: { id: string } };
    const sealedSecret = await findAnyTotpSecret(deps.db, user.id);
    const of = sealedSecret && { memberId: user.id, sealedSecret };
    if (!of || !(await spendTotpCode(deps, of, String(body.code), STEPS_OFF_AFTERWARDS))) {
      // The same code a second time: what it opened is shut again before anybody is notified.
      if (!member) await endSessionOf(deps.db, token);
      return refusal('confirmation_failed');
    }
    await succeeded();
    if (member && !wasOn) await changed(req, member, 'two_factor.enabled', 'second_factor_on');
    return answer;
  };

  const withPasskey = async (
    req: IncomingMessage,
    path: string,
    body: Record<string, unknown>,
    member: Member | null,
  ): Promise<Response> => {
    const credentialId = (body.response as { id?: unknown } | undefined)?.id;
    abouts.set(req, member ? { memberId: member.memberId } : { credentialId: String(credentialId) });
    if (!wasUserVerified(body)) return refusal('confirmation_failed');
    const answer = await forward(req, path, body);
    if (!answer.ok) return answer;
    const { session } = (await answer.clone().json()) as { session: { id: string; userId: string; token: string } };
    if (req.headers[CONFIRM_HEADER] === undefined) return answer;
    // A confirmation goes on in the session that asked for it; the new one is not needed, and may be somebody else's.
    await endSessionOf(deps.db, session.token);
    if (!member || session.userId !== member.memberId) return refusal('confirmation_failed');
    await confirm.proved(member.sessionId);
    return jsonResponse(200, { confirmed: true });
  };

  /** A new password by the link of a message. */
  const reset = async (req: IncomingMessage, path: string, body: Record<string, unknown>): Promise<Response> => {
    const token = String(body.token ?? '');
    const member = await findPendingMember(auth, `reset-password:${token}`, deps.clock());
    // A token that opens nothing is better-auth's to refuse.
    if (member) await demandStrongPassword(body.newPassword, await ownerOf(member));
    const answer = await forward(req, path, { token, newPassword: String(body.newPassword ?? '') });
    if (!answer.ok || !member) return answer;
    // Whoever guesses at this login must not keep its member out: what they did is forgotten, and what they do next is not counted
    // against this browser.
    const isFree = await limits.passwordReset(member.email, member.memberId);
    if (isFree) await unlockSecondFactor(deps.db, member.memberId);
    const headers = new Headers(answer.headers);
    headers.append('set-cookie', deviceCookieFor(member.email));
    return new Response(answer.body, { status: answer.status, headers });
  };

  const ownerOf = async ({ email, name, merchantId }: { email: string; name: string; merchantId: string }) => ({
    email,
    names: [name, (await findMerchant(deps.db, { id: merchantId }))?.name ?? ''],
  });

  const changed = async (
    req: IncomingMessage,
    member: Member,
    action: string,
    what: (typeof CHANGES)[keyof typeof CHANGES]['what'] | 'second_factor_on',
  ) => {
    const who = { member, origin: originOf(req) };
    await recordAudit(deps, who, action);
    // The last passkey is a second factor as much as an authenticator is.
    const hadIt = member.hasSecondFactor && TAKES_AWAY.has(action);
    if (hadIt && !(await memberOf(req))?.hasSecondFactor) await pauseWithdrawals(deps, member.memberId);
    await tellOwnChange(deps, who, what);
  };

  const run = async (
    req: IncomingMessage,
    rule: Rule,
    path: string,
    query: string,
    body: Record<string, unknown> | undefined,
  ): Promise<Response> => {
    const given = body ?? {};
    if (rule === 'password') return signIn(req, path, given);
    if (rule === 'mail') {
      const email = parseEmail(String(given.email ?? ''));
      if (email === null) return noEmail();
      abouts.set(req, { email });
      demandNoWait(await limits.takeMail('reset', email, clientAddress(req)));
      return forward(req, path, { email });
    }
    if (rule === 'link') {
      const login = await openLink(deps, path as LinkPath, given, originOf(req));
      return forward(req, '/sign-in/email', login);
    }
    if (rule === 'reset') return reset(req, path, given);
    if (rule === 'free') {
      const answer = await forward(req, path + query, body);
      return path === '/passkey/generate-authenticate-options' ? demandVerification(answer) : answer;
    }
    const member = await memberOf(req);
    if (rule === 'totp') return totp(req, path, given, member);
    if (rule === 'passkey') return withPasskey(req, path, given, member);
    // A recovery code signs in; in a session it is asked for by the confirmation dialog, which has a procedure of its own.
    if (rule === 'backup_code') {
      if (member) return refusal('invalid_state');
      const { answer, succeeded } = await guess(req, path, String(given.code ?? ''), null);
      if (answer.ok) await succeeded();
      return answer;
    }
    if (!member) return refusal('not_signed_in');
    abouts.set(req, { memberId: member.memberId });
    // A member may always choose a better password. A second factor set up now would be that of whoever has the mailbox.
    const makesPassword = path === '/change-password';
    if (!makesPassword) refuseWhilePaused(member, deps.clock());
    if (rule !== 'own_password' || member.hasSecondFactor) {
      await confirm.require(member, makesPassword ? 'password' : 'setting');
    }
    if (makesPassword) await demandStrongPassword(given.newPassword, await ownerOf(member));
    // A second factor that was just confirmed is no reason to let the password be guessed.
    const isGuess = CHECK_PASSWORD.has(path);
    if (isGuess) demandNoWait(await limits.takeConfirmationGuess(member.memberId));
    const answer = await forward(
      req,
      path + query,
      body && { ...given, ...(path === '/change-password' && OTHERS_OUT) },
    );
    if (answer.ok && isGuess) await limits.confirmationSucceeded(member.memberId);
    const change = CHANGES[path as keyof typeof CHANGES];
    if (answer.ok && change) await changed(req, member, change.action, change.what);
    return answer;
  };

  return {
    memberOf,
    originOf,
    headersOf,
    renewedSession(req) {
      const renewed = cookies.renew(cookieOf(req, sessionCookie) ?? '');
      return renewed && `${sessionCookie}=${encodeURIComponent(renewed)}; ${attributes(SESSION_SECONDS)}`;
    },
    async handle(req, res, requestContext) {
      const path = requestContext.path.slice(AUTH_PREFIX.length - 1);
      const endpoint = ENDPOINTS[path];
      if (!endpoint) throw new DomainError('route_not_found');
      res.setHeader('cache-control', 'no-store');
      if (req.method !== endpoint.method) {
        res.setHeader('allow', endpoint.method);
        throw new DomainError('method_not_allowed');
      }
      const isPost = endpoint.method === 'POST';
      if (isPost && !isFromOurPage(req)) return send(res, refusal('permission_denied'));
      const body = isPost ? await readJsonObject(req) : undefined;
      // better-auth asks the database with what it is sent, and has no answer for what the database can't take.
      const sent = [body, ...new URLSearchParams(requestContext.query)];
      if (!isStorableJson(sent)) return send(res, refusal('invalid_input'));
      const query = requestContext.query && `?${requestContext.query}`;
      const answer = await run(req, endpoint.rule, path, query, body).catch((error: unknown) => {
        if (error instanceof DomainError && isPanelError(error.code))
          return refusal(error.code, error.params, error.details);
        throw error;
      });
      const outcome = answer.clone();
      const shown = await withoutToken(answer);
      const token = cookieSetBy(answer, sessionCookie)?.split('.')[0];
      const started = token ? await findSignedIn(deps.db.pool, token, deps.clock()) : null;
      if (started) {
        const { memberId, merchantId, email } = started;
        const entry = { merchantId, memberId, accountId: null, action: 'session.started', details: { path } };
        if (SIGNS_IN.has(endpoint.rule) && !inSession.has(req)) {
          await insertAudit(deps.db, { ...entry, ...originOf(req), at: deps.clock() });
        }
        shown.headers.append('set-cookie', deviceCookieFor(email));
      }
      await send(res, shown);
      // After the answer: its time must not tell whether the address is somebody's.
      const attempt = ATTEMPTS[endpoint.rule];
      const about = abouts.get(req);
      if (!attempt || !about) return;
      const failure = { attempt, about, path, origin: originOf(req), answer: outcome };
      await noteFailure({ ...deps, refusals }, failure);
    },
  };
}

/** A new password ends every other session: whoever had the old one may be in one of them. */
const OTHERS_OUT = { revokeOtherSessions: true };
const USER_AGENT_LENGTH_MAX = 400;

/** A refusal in the shape that the pages know from procedures. */
function refusal(
  reason: PanelErrorCode,
  params: Record<string, string> = {},
  fields: readonly FieldIssue[] = [],
): Response {
  return jsonResponse(ERROR_CATALOGUE[reason].status, { data: { reason, fields, params } });
}

/** What was typed is no address (contact.ts), in better-auth's words. */
const noEmail = () => jsonResponse(400, { code: 'INVALID_EMAIL' });

/** The session's token stays in its cookie, where no script reads it. */
async function withoutToken(answer: Response): Promise<Response> {
  const headers = new Headers(answer.headers);
  if (!headers.get('content-type')?.includes('json'))
    return new Response(answer.body, { status: answer.status, headers });
  const text = await answer.text();
  headers.delete('content-length');
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return new Response(text, { status: answer.status, headers });
  }
  const { token: _, session: __, ...rest } = body as { token?: unknown; session?: unknown };
  return jsonResponse(answer.status, rest, headers);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The value that an answer gives a cookie; null where it gives it none, or takes it away. */
function cookieSetBy(answer: Response, name: string): string | null {
  const line = answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`));
  if (!line || /;\s*max-age=0/i.test(line)) return null;
  return decodeURIComponent(line.slice(name.length + 1).split(';')[0] ?? '');
}

async function demandVerification(answer: Response): Promise<Response> {
  if (!answer.ok) return answer;
  const options = (await answer.json()) as object;
  return jsonResponse(200, { ...options, userVerification: 'required' }, answer.headers);
}

function wasUserVerified(body: Record<string, unknown>): boolean {
  const response = (body.response as { response?: { authenticatorData?: unknown } } | undefined)?.response;
  const data = Buffer.from(String(response?.authenticatorData ?? ''), 'base64url');
  return ((data[FLAGS_OFFSET] ?? 0) & USER_VERIFIED) !== 0;
}

async function send(res: ServerResponse, answer: Response): Promise<void> {
  res.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') res.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader('set-cookie', cookies);
  res.end(Buffer.from(await answer.arrayBuffer()));
}
