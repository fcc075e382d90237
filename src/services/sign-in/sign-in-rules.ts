import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import type { Deps } from '../deps.ts';
import { currentAuthRequest } from './auth-request.ts';
import type { Confirmations } from './confirmations.ts';
import { cookieName, isTls } from './cookie-name.ts';
import { createDeviceCookies, DEVICE_COOKIE_SECONDS } from './device-cookies.ts';
import type { GuessLimits } from './guess-limits.ts';
import { passkeyOptionsRule, passkeyRule } from './passkey-rules.ts';
import { passwordRule } from './password-rule.ts';
import { recordSessionStart } from './record-session-start.ts';
import { askResetRule, resetPasswordRule } from './reset-password-rules.ts';
import { backupCodeRule, totpRule } from './second-factor-rules.ts';
import { type Setting, settingRule } from './setting-rule.ts';
import type { AuthCall, SignInRule } from './sign-in-rule.ts';

/** Changes to how a member signs in, and what each asks for. */
const SETTINGS: Record<string, Setting> = {
  '/change-password': { asksPassword: true, makesPassword: true, change: ['password.changed', 'password'] },
  '/two-factor/enable': { asksPassword: true },
  '/two-factor/disable': {
    asksPassword: true,
    isGuarded: true,
    change: ['two_factor.disabled', 'second_factor_off'],
  },
  '/two-factor/generate-backup-codes': {
    asksPassword: true,
    isGuarded: true,
    change: ['two_factor.recovery_codes_made', 'recovery_codes'],
  },
  '/passkey/generate-register-options': { isGuarded: true },
  '/passkey/verify-registration': { isGuarded: true, change: ['passkey.added', 'passkey_added'] },
  '/passkey/delete-passkey': { isGuarded: true, change: ['passkey.removed', 'passkey_removed'] },
};

/**
 * Our rules around better-auth's endpoints, as hooks of its own: how often may be guessed, what a
 * session has to prove first, that a code works once, what is noted and who is told. It comes after
 * the plugins whose hooks decide whether a session begins. A request that comes without an
 * AuthRequest is a use case of ours, which has asked before.
 */
export function signInRules(
  deps: Deps,
  parts: { limits: GuessLimits; confirmations: Confirmations },
): BetterAuthPlugin {
  const { limits } = parts;
  const { publicUrl } = deps.settings;
  const devices = createDeviceCookies(deps.secretBox);
  const rules: Record<string, SignInRule> = {
    '/sign-in/email': passwordRule(limits, devices),
    '/request-password-reset': askResetRule(limits),
    '/reset-password': resetPasswordRule(deps, limits),
    '/two-factor/verify-totp': totpRule(deps, limits),
    '/two-factor/verify-backup-code': backupCodeRule(deps, limits),
    '/passkey/generate-authenticate-options': passkeyOptionsRule,
    '/passkey/verify-authentication': passkeyRule(deps),
    ...Object.fromEntries(Object.entries(SETTINGS).map(([path, setting]) => [path, settingRule(deps, parts, setting)])),
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
    if (request) await rules[request.path]?.before?.(request, callOf(ctx));
  });
  const after = createAuthMiddleware(async (ctx) => {
    const request = currentAuthRequest();
    const { returned, newSession } = ctx.context;
    if (!request || isAPIError(returned)) return;
    const call = callOf(ctx);
    const answer = await rules[request.path]?.after?.(request, call, returned);
    const login = newSession && (await recordSessionStart(deps, request, newSession.session.token));
    if (login) call.rememberDevice(login);
    return answer;
  });
  const matcher = () => true;
  return {
    id: 'sign-in-rules',
    hooks: { before: [{ matcher, handler: before }], after: [{ matcher, handler: after }] },
  };
}
