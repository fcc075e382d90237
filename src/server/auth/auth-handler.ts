import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isPanelError } from '#domain/errors/error-catalogue.ts';
import { isStorableJson } from '#domain/values/storable-text.ts';
import type { Member, Origin } from '#services/api-keys/principal.ts';
import type { RejectionAudit } from '#services/audit/rejection-audit.ts';
import type { Deps } from '#services/deps.ts';
import { ADDRESS_HEADER } from '#services/sign-in/address-header.ts';
import { askBetterAuth } from '#services/sign-in/ask-better-auth.ts';
import type { AuthRequest } from '#services/sign-in/auth-request.ts';
import { cookieName, isTls } from '#services/sign-in/cookie-name.ts';
import { type Auth, SESSION_SECONDS } from '#services/sign-in/create-auth.ts';
import { findSessionMember } from '#services/sign-in/find-session-member.ts';
import { noteFailure } from '#services/sign-in/note-failure.ts';
import { createSignedCookies } from '#services/sign-in/signed-cookies.ts';
import { jsonRequest, jsonResponse } from '../http/json.ts';
import { originOf } from '../http/origin-of.ts';
import type { RequestContext } from '../http/request-context.ts';
import { readJsonObject } from '../rest/body.ts';
import { AUTH_ENDPOINTS, AUTH_PREFIX, type AuthEndpoint } from './auth-endpoints.ts';
import { noEmail, reasonOf, rejection, sendAnswer } from './auth-response.ts';
import { cookieOf } from './cookie-of.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { isFromOurPage } from './is-from-our-page.ts';
import { type LinkPath, openLink } from './open-link.ts';

/**
 * A header by which a page says that it uses a passkey to confirm a sensitive act, not to sign in.
 */
const CONFIRM_HEADER = 'x-trilho-confirm';

/**
 * better-auth's code for a new passkey that is not valid, or that a member has already: its status
 * is 500, as if we had failed.
 */
const INVALID_PASSKEY = 'FAILED_TO_VERIFY_REGISTRATION';

export type AuthHandler = {
  /** The member of this request's session; null: none. */
  memberOf(req: IncomingMessage): Promise<Member | null>;
  originOf(req: IncomingMessage): Origin;
  /** A request's headers as better-auth gets them. */
  headersOf(req: IncomingMessage): Headers;
  /**
   * The Set-Cookie line with this request's session signed by the newest master key, where an older
   * one signed it; else null.
   */
  renewedSession(req: IncomingMessage): string | null;
  /**
   * Answers what is below /api/auth. Errors (DomainError): those of a body that can't be read,
   * route_not_found, method_not_allowed.
   */
  handle(req: IncomingMessage, res: ServerResponse, requestContext: RequestContext): Promise<void>;
};

/**
 * Creates the handler of /api/auth: the part of better-auth that browsers reach, from our own pages
 * only, with the rules of services/sign-in around it.
 */
export function createAuthHandler(parts: {
  deps: Deps;
  /** With the connections on which a request's session is looked up. */
  lookUpDepsOf: (req: IncomingMessage) => Pick<Deps, 'db' | 'clock'>;
  auth: Auth;
  clientAddress: (req: IncomingMessage) => string;
  rejections: RejectionAudit;
}): AuthHandler {
  const { deps, lookUpDepsOf, auth, clientAddress, rejections } = parts;
  const { publicUrl } = deps.settings;
  const sessionCookie = cookieName('session_token', publicUrl);
  const deviceCookie = cookieName('device', publicUrl);
  const secondFactorCookie = cookieName('two_factor', publicUrl);
  const cookies = createSignedCookies(deps.secretBox);

  const memberOf: AuthHandler['memberOf'] = async (req) => {
    const token = cookies.read(cookieOf(req, sessionCookie));
    return token ? findSessionMember(lookUpDepsOf(req), token) : null;
  };

  const headersOf: AuthHandler['headersOf'] = (req) => {
    const headers = forwardedHeaders(req, publicUrl);
    headers.set('cookie', cookies.renewAll(headers.get('cookie') ?? ''));
    return headers;
  };

  const authRequestOf = async (req: IncomingMessage, path: string, endpoint: AuthEndpoint): Promise<AuthRequest> => ({
    path,
    origin: originOf(req, clientAddress(req)),
    member: endpoint.asksMember ? await memberOf(req) : null,
    pendingToken: cookies.read(cookieOf(req, secondFactorCookie)),
    deviceCookie: cookieOf(req, deviceCookie),
    isConfirmation: req.headers[CONFIRM_HEADER] !== undefined,
    about: null,
    takeBack: null,
    isInSession: false,
    provedHash: null,
    totpSecret: null,
    isConfirmed: false,
    failure: null,
  });

  const forward = (req: IncomingMessage, request: AuthRequest, path: string, body: object | undefined) => {
    const headers = headersOf(req);
    headers.set(ADDRESS_HEADER, clientAddress(req));
    // Built from our own address: the client's Host does not decide which endpoint is called.
    const url = new URL(`/api/auth${path}`, publicUrl);
    return askBetterAuth(auth, request, body ? jsonRequest(url, body, headers) : new Request(url, { headers }));
  };

  const answerTo = async (
    req: IncomingMessage,
    { request, endpoint, query }: { request: AuthRequest; endpoint: AuthEndpoint; query: string },
    typed: Record<string, unknown> | undefined,
  ): Promise<Response> => {
    const { path, origin } = request;
    if (endpoint.isLink) {
      const login = await openLink(deps, path as LinkPath, typed ?? {}, origin);
      return login ? forward(req, request, '/sign-in/email', login) : jsonResponse(200, { joined: true });
    }
    const body = typed && endpoint.read ? endpoint.read(typed) : typed;
    if (body === null) return noEmail();
    const answer = await forward(req, request, endpoint.takesQuery && query ? `${path}?${query}` : path, body);
    if ((await reasonOf(answer.clone())) === INVALID_PASSKEY) return rejection('invalid_input');
    return request.isConfirmed ? jsonResponse(200, { confirmed: true }) : answer;
  };

  return {
    memberOf,
    originOf: (req) => originOf(req, clientAddress(req)),
    headersOf,
    renewedSession(req) {
      const renewed = cookies.renew(cookieOf(req, sessionCookie) ?? '');
      const attributes = `Max-Age=${SESSION_SECONDS}; Path=/; HttpOnly; SameSite=Lax${isTls(publicUrl) ? '; Secure' : ''}`;
      return renewed && `${sessionCookie}=${encodeURIComponent(renewed)}; ${attributes}`;
    },
    async handle(req, res, requestContext) {
      const path = requestContext.path.slice(AUTH_PREFIX.length - 1);
      const endpoint = AUTH_ENDPOINTS[path];
      if (!endpoint) throw new DomainError('route_not_found');
      res.setHeader('cache-control', 'no-store');
      if (req.method !== endpoint.method) {
        res.setHeader('allow', endpoint.method);
        throw new DomainError('method_not_allowed');
      }
      const isPost = endpoint.method === 'POST';
      if (isPost && !isFromOurPage(req)) return sendAnswer(res, rejection('permission_denied'));
      const typed = isPost ? await readJsonObject(req) : undefined;
      const { query } = requestContext;
      // better-auth queries the database with what it is sent, and has no answer for text that the
      // database can't store.
      if (!isStorableJson([typed, ...new URLSearchParams(query)])) return sendAnswer(res, rejection('invalid_input'));
      const request = await authRequestOf(req, path, endpoint);
      const atLeast = endpoint.takesAtLeastMs === undefined ? null : sleep(endpoint.takesAtLeastMs);
      const answer = await answerTo(req, { request, endpoint, query }, typed).catch((error: unknown) => {
        if (error instanceof DomainError && isPanelError(error.code)) return rejection(error.code, error);
        throw error;
      });
      await atLeast;
      const outcome = { status: answer.status, why: await reasonOf(answer.clone()) };
      await sendAnswer(res, answer);
      await noteFailure({ ...deps, rejections }, request, outcome);
    },
  };
}
