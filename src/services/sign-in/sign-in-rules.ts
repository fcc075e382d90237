import type { Deps } from '../deps.ts';
import type { Confirmations } from './confirmations.ts';
import type { DeviceCookies } from './device-cookies.ts';
import type { GuessLimits } from './guess-limits.ts';
import { passkeyOptionsRule, passkeyRule } from './passkey-rules.ts';
import { passwordRule } from './password-rule.ts';
import { askResetRule, resetPasswordRule } from './reset-password-rules.ts';
import { backupCodeRule, totpRule } from './second-factor-rules.ts';
import { type Setting, settingRule } from './setting-rule.ts';
import type { SignInRule } from './sign-in-rule.ts';

/** Changes to how a member signs in, and what each requires. */
const SETTINGS: Record<string, Setting> = {
  '/change-password': { asksPassword: true, makesPassword: true, change: ['password.changed', 'password'] },
  '/two-factor/enable': { asksPassword: true },
  '/two-factor/disable': {
    asksPassword: true,
    isGuarded: true,
    change: ['two_factor.disabled', 'authenticator_removed'],
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

/** No confirmation: the link or the session is enough. */
const FREE: SignInRule = {};

/** The rule of each endpoint that browsers reach; an endpoint without one is not served. */
export function signInRules(
  deps: Deps,
  parts: { limits: GuessLimits; confirmations: Confirmations; devices: DeviceCookies },
): ReadonlyMap<string, SignInRule> {
  const { limits, devices } = parts;
  return new Map<string, SignInRule>([
    ['/sign-in/email', passwordRule(deps, limits, devices)],
    ['/sign-out', FREE],
    // Their links are checked and used up before better-auth makes the session.
    ['/sign-up/complete', FREE],
    ['/invitation/accept', FREE],
    ['/request-password-reset', askResetRule(limits)],
    ['/reset-password', resetPasswordRule(deps, limits)],
    ['/two-factor/verify-totp', totpRule(deps, limits)],
    ['/two-factor/verify-backup-code', backupCodeRule(deps, limits)],
    ['/passkey/generate-authenticate-options', passkeyOptionsRule],
    ['/passkey/verify-authentication', passkeyRule(deps)],
    ...Object.entries(SETTINGS).map(([path, setting]) => [path, settingRule(deps, parts, setting)] as const),
  ]);
}
