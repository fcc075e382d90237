import { expect, test } from 'vitest';
import { AUTH_PATHS } from '#server/auth/auth-endpoints.ts';
import type { Deps } from '../deps.ts';
import { type AuthRequest, withAuthRequest } from './auth-request.ts';
import { signInPlugin } from './sign-in-plugin.ts';
import { signInRules } from './sign-in-rules.ts';

const deps = { settings: { publicUrl: 'http://localhost' }, secretBox: {} } as Deps;
const parts = {} as Parameters<typeof signInRules>[1];

const request: AuthRequest = {
  path: '/sign-out',
  origin: { ipAddress: '203.0.113.7', userAgent: null },
  member: null,
  pendingToken: null,
  deviceCookie: null,
  isConfirmation: false,
  about: null,
  takeBack: null,
  isInSession: false,
  provedHash: null,
  totpSecret: null,
  isConfirmed: false,
  failure: null,
};

/** Runs the hook that better-auth runs before each of its endpoints. */
const before = (path: string) =>
  withAuthRequest({ ...request, path }, async () => {
    const [hook] = signInPlugin(deps, parts).hooks?.before ?? [];
    return hook?.handler({ context: {}, body: {}, headers: new Headers() } as never);
  });

test('every endpoint of the sign-in that browsers reach has its rule, and no other has one', () => {
  expect([...signInRules(deps, parts).keys()].sort(), 'sign-in-rules.ts and auth-endpoints.ts differ').toEqual(
    [...AUTH_PATHS].sort(),
  );
});

test('an endpoint without a rule is not served', async () => {
  await expect(before('/two-factor/send-otp')).rejects.toThrow('no rule');
  await expect(before('/sign-out')).resolves.not.toThrow();
});

test('a change to how a member signs in is rejected without a session', async () => {
  for (const path of ['/change-password', '/two-factor/enable', '/two-factor/disable', '/passkey/delete-passkey']) {
    await expect(before(path)).rejects.toMatchObject({ code: 'not_signed_in' });
  }
});

test('a passkey that did not verify its user proves nothing', async () => {
  await expect(before('/passkey/verify-authentication')).rejects.toMatchObject({ code: 'confirmation_failed' });
});
