import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import type { Deps } from '../deps.ts';
import { type AuthRequest, currentAuthRequest } from './auth-request.ts';
import type { Confirmations } from './confirmations.ts';
import { cookieName, isTls } from './cookie-name.ts';
import { createDeviceCookies, DEVICE_COOKIE_SECONDS } from './device-cookies.ts';
import type { GuessLimits } from './guess-limits.ts';
import { recordSessionStart } from './record-session-start.ts';
import type { AuthCall, SignInRule } from './sign-in-rule.ts';
import { signInRules } from './sign-in-rules.ts';

/**
 * Our rules around better-auth's endpoints, as hooks: they limit guesses, require proofs of a
 * session, accept a code once, write the audit and notify members. The plugin comes after those
 * whose hooks decide whether a session begins. A request without an AuthRequest comes from a use
 * case, which has checked before; one without a rule is rejected.
 */
export function signInPlugin(
  deps: Deps,
  parts: { limits: GuessLimits; confirmations: Confirmations },
): BetterAuthPlugin {
  const { publicUrl } = deps.settings;
  const devices = createDeviceCookies(deps.secretBox);
  const rules = signInRules(deps, { ...parts, devices });
  const ruleOf = ({ path }: AuthRequest): SignInRule => {
    const rule = rules.get(path);
    if (!rule) throw new Error(`The sign-in has no rule for ${path}.`);
    return rule;
  };
  const deviceCookie = {
    name: cookieName('device', publicUrl),
    attributes: {
      maxAge: DEVICE_COOKIE_SECONDS,
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isTls(publicUrl),
    } as const,
  };
  type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];
  const callOf = (ctx: HookContext): AuthCall => ({
    body: (ctx.body ?? {}) as Record<string, unknown>,
    internals: ctx.context,
    rememberDevice: (login) => void ctx.setCookie(deviceCookie.name, devices.issue(login), deviceCookie.attributes),
  });

  const before = createAuthMiddleware(async (ctx) => {
    const request = currentAuthRequest();
    if (request) await ruleOf(request).before?.(request, callOf(ctx));
  });
  const after = createAuthMiddleware(async (ctx) => {
    const request = currentAuthRequest();
    const { returned, newSession } = ctx.context;
    if (!request || isAPIError(returned)) return;
    const call = callOf(ctx);
    const answer = await ruleOf(request).after?.(request, call, returned);
    const login = newSession && (await recordSessionStart(deps, devices, request, newSession.session));
    if (login) call.rememberDevice(login);
    return answer;
  });
  const matcher = () => true;
  return {
    id: 'sign-in-rules',
    hooks: { before: [{ matcher, handler: before }], after: [{ matcher, handler: after }] },
  };
}
