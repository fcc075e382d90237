import { ROLE_ACCESS } from '#server/procedures/role-access.ts';
import { createAuth } from '#services/sign-in/create-auth.ts';
import { ask, leakIn } from '../answers.ts';
import { idsOfNothing, MODES } from '../tenants.ts';
import type { Matrix } from './matrix.ts';
import { cookieOf } from './panel.ts';

/** The names of the table of roles, without its roles: a file of the panel is in it. */
export const FILES = Object.keys(ROLE_ACCESS).filter((name) => name.includes('/'));

/** What one of the exports needs; the others ignore it. */
const QUERY = 'balance=available&from=2020-01-01&to=2030-01-01&kind=money&format=pt-BR';
const EXPORTS = [...FILES, 'export/nothing.csv'].flatMap((name) => {
  const [act, file] = name.split('/');
  return act === 'export' ? [`${file}?${QUERY}`] : [];
});

/** Files are sent to their own merchant only. */
export async function attackFiles({ arena, service, victim, attacker, victimKeys }: Matrix): Promise<void> {
  const tally = arena.attack('files of the panel');
  const get = async (path: string, cookie: string) => ask(service.url + path, { headers: cookie ? { cookie } : {} });
  for (const mode of MODES) {
    const documentPath = `/download/${mode}/kyc?id=${victim.owned[mode].document}`;
    const paths = [...EXPORTS.map((file) => `/export/${mode}/${file}`), documentPath];
    for (const path of paths) {
      const answers = [
        await get(path, ''),
        await get(path, 'trilho.session_token=x'),
        await ask(service.url + path, { headers: { 'x-api-key': victimKeys.test } }),
      ];
      for (const answer of answers)
        tally(`GET ${path} without a session`, answer.status === 401 ? null : `${answer.status}`);
      const answer = await get(path, cookieOf(attacker.browser));
      const leak = leakIn(answer, victim.canaries, path);
      tally(`GET ${path} with another merchant's session`, leak && `shows ${leak}`);
    }
    const theirs = await get(documentPath, cookieOf(attacker.browser));
    const absent = await get(
      `/download/${mode}/kyc?id=${idsOfNothing(service.deps.clock()).document}`,
      cookieOf(attacker.browser),
    );
    const alike = theirs.status === 404 && theirs.text === absent.text;
    tally(
      `GET ${documentPath} with another merchant's session`,
      alike ? null : `${theirs.status}, and ${absent.status} for none`,
    );
    const upload = await ask(`${service.url}/upload/${mode}/kyc?kind=identity`, {
      method: 'POST',
      headers: { origin: service.url },
      body: 'x',
    });
    tally(`POST /upload/${mode}/kyc without a session`, upload.status === 401 ? null : `${upload.status}`);
  }
}

/**
 * The endpoints of better-auth that we open. The attack reads all endpoints from better-auth
 * itself, so that those of a new version are tried too.
 */
const OPEN = new Set([
  '/sign-in/email',
  '/sign-out',
  '/request-password-reset',
  '/reset-password',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  '/change-password',
  '/passkey/generate-register-options',
  '/passkey/verify-registration',
  '/passkey/delete-passkey',
  '/passkey/generate-authenticate-options',
  '/passkey/verify-authentication',
]);

/**
 * Endpoints of better-auth are closed unless they are on our list, also in odd spellings and for a
 * signed-in client.
 */
export async function attackSignInEndpoints({ arena, service, attacker, victim }: Matrix): Promise<void> {
  // ASVS 6.3.4
  const tally = arena.attack('endpoints of better-auth');
  const endpoints = Object.values(
    createAuth(service.deps, { id: 'no-rules' }).api as unknown as Record<string, { path?: string }>,
  );
  const paths = new Set(endpoints.flatMap(({ path }) => (path ? [path.replace(/:\w+/g, 'x')] : [])));
  for (const closed of [
    '/sign-up/email',
    '/update-user',
    '/change-email',
    '/delete-user',
    '/admin/list-users',
    '/get-session',
    '/list-sessions',
    '/revoke-sessions',
    '/ok',
    '/error',
    '/callback/google',
  ])
    paths.add(closed);
  const cookie = cookieOf(attacker.browser);
  for (const path of paths) {
    const spellings = OPEN.has(path) ? [] : [path];
    spellings.push(
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),

      `${path}%2f`,
      `${path};x`,
      `/x/..%2f${path.slice(1)}`,
    );
    for (const spelling of spellings) {
      for (const method of ['GET', 'POST']) {
        const headers = { cookie, origin: service.url, 'content-type': 'application/json' };
        const body = JSON.stringify({ email: victim.email, password: 'x', token: 'x', userId: victim.merchantId });
        const answer = await ask(`${service.url}/api/auth${spelling}`, {
          method,
          headers,
          ...(method === 'POST' && { body }),
        });
        const leak = leakIn(answer, victim.canaries, body);
        tally(
          `${method} /api/auth${spelling}`,
          answer.status !== 404 ? `${answer.status} instead of 404` : leak && `shows ${leak}`,
        );
      }
    }
    if (!OPEN.has(path)) continue;
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await ask(`${service.url}/api/auth${path}`, { method, headers: { cookie, origin: service.url } });
      tally(`${method} /api/auth${path}`, answer.status === 405 ? null : `${answer.status} instead of 405`);
    }
  }
}
