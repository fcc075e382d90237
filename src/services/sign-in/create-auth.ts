import { passkey } from '@better-auth/passkey';
import type { BetterAuthPlugin } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#domain/members/password.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';
import { betterAuthSecrets } from '../members/better-auth-secrets.ts';
import { passwordHashing } from '../members/password-hashing.ts';
import { ADDRESS_HEADER } from './address-header.ts';
import { isTls } from './cookie-name.ts';
import { databaseFailures, keepFailure } from './database-failures.ts';
import { recordPasswordReset, sendResetLink } from './password-reset.ts';
import { passwordWrites } from './password-writes.ts';
import { sealedTables } from './sealed-tables.ts';
import { secondFactorWrites } from './second-factor-writes.ts';

/** A week, also for a session in use: then everybody signs in again. */
export const SESSION_SECONDS = 7 * 86_400;
const LINK_SECONDS = 3_600;
/**
 * Wrong codes before the second factor is locked, and for how long. Only a client that knows the
 * password gets this far.
 */
const SECOND_FACTOR_TRIES = 10;
const SECOND_FACTOR_REST_SECONDS = 900;

export type Auth = ReturnType<typeof createAuth>;

/**
 * better-auth on our tables: logins, sessions, second factors, with `rules` around its endpoints
 * (sign-in-plugin.ts). It is reached over HTTP by auth-handler.ts.
 */
export function createAuth(deps: Deps, rules: BetterAuthPlugin) {
  const { publicUrl } = deps.settings;
  const overTls = isTls(publicUrl);
  const secrets = betterAuthSecrets(deps.secretBox);
  return betterAuth({
    appName: 'Trilho',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secrets,
    // Without one better-auth looks for a secret in the environment.
    secret: secrets[0]?.value,
    // Its tables belong to Prisma's schema like any other; several statements of one call are one
    // transaction.
    database: prismaAdapter(deps.db.prisma, { provider: 'postgresql', transaction: true }),
    emailAndPassword: {
      enabled: true,
      // Members are made by our own services, once the link that was mailed has proved their
      // address.
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD_LENGTH_MIN,
      maxPasswordLength: PASSWORD_LENGTH_MAX,
      password: passwordHashing,
      resetPasswordTokenExpiresIn: LINK_SECONDS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: (reset, request) => sendResetLink(deps, reset, request).catch(keepFailure),
      onPasswordReset: ({ user }, request) => recordPasswordReset(deps, user, request),
    },
    user: { modelName: 'member' },
    session: {
      modelName: 'session',
      fields: { userId: 'memberId' },
      expiresIn: SESSION_SECONDS,
      disableSessionRefresh: true,
      // A session's age matters to nothing: what is sensitive asks for a fresh proof
      // (setting-rule.ts).
      freshAge: 0,
      // A session that was ended is invalid at once: no cookie is trusted about it.
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'login',
      fields: { userId: 'memberId' },
    },
    verification: { modelName: 'loginToken' },
    // Our handler counts before anything is hashed (guess-limits.ts).
    rateLimit: { enabled: false },
    plugins: [
      sealedTables(deps.secretBox),
      passwordWrites(deps),
      secondFactorWrites(deps),
      databaseFailures(),
      twoFactor({
        issuer: 'Trilho',
        twoFactorTable: 'twoFactor',
        accountLockout: {
          enabled: true,
          maxFailedAttempts: SECOND_FACTOR_TRIES,
          durationSeconds: SECOND_FACTOR_REST_SECONDS,
        },
        schema: { twoFactor: { fields: { userId: 'memberId' } } },
      }),
      passkey({
        rpID: new URL(publicUrl).hostname,
        rpName: 'Trilho',
        origin: publicUrl,
        // A passkey counts as both factors, so the device has to verify its user.
        authenticatorSelection: { userVerification: 'required', residentKey: 'required' },
        schema: {
          passkey: { modelName: 'passkey', fields: { userId: 'memberId', credentialID: 'credentialId' } },
        },
      }),
      // Last: the hooks of the others decide whether a session begins.
      rules,
    ],
    advanced: {
      // `__Host-` (RFC 6265bis section 4.1.3.2): only this host over TLS can have set the cookie.
      // It replaces better-auth's own `__Secure-`, hence its switch is off and the attribute is set
      // here.
      cookiePrefix: overTls ? '__Host-trilho' : 'trilho',
      useSecureCookies: false,
      defaultCookieAttributes: { secure: overTls, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => uuidv7(deps.clock()) },
      // Our handler has checked origin and content type before, more strictly.
      disableCSRFCheck: false,
    },
    // Errors pass through to our handler, which answers them; better-auth would print them, SQL
    // included, and answer 500.
    onAPIError: { throw: true },
    logger: {
      // Its messages may hold addresses; the handler logs failures by status.
      disabled: true,
    },
    telemetry: { enabled: false },
  });
}
