import { generateApiKey } from '#domain/api-keys/api-key-format.ts';
import { PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { revokeApiKey } from '#services/api-keys/manage-api-keys.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import { ask, comparable, leakIn, type RawAnswer } from '../answers.ts';
import { idsOfNothing, MODES, type Mode, type Owned, type Tenant } from '../tenants.ts';
import { restBodyError } from './bodies.ts';
import type { Matrix } from './matrix.ts';
import { type RestOperation, restOperations } from './operations.ts';

type Sent = { answer: RawAnswer; line: string; bytes: string };

const send = async (
  service: TestService,
  operation: RestOperation,
  owned: Owned,
  headers: Record<string, string>,
  prefix = '',
) => {
  const { path, body } = operation.request(owned);
  const url = service.url + prefix + path;
  const init = {
    method: operation.method,
    headers: { ...headers, ...(body !== null && { 'content-type': 'application/json' }) },
  };
  const answer = await ask(url, { ...init, ...(body !== null && { body }) });
  return {
    answer,
    line: `${operation.method} ${prefix}${path}`,
    bytes: `${path} ${body} ${Object.values(headers).join(' ')}`,
  } satisfies Sent;
};

/** No operation serves a client without a valid key. */
export async function attackWithoutKey({ arena, service, victim }: Matrix): Promise<void> {
  const credentials = await badCredentials(service, victim);
  // ASVS 14.2.1
  const tally = arena.attack('REST without a valid key');
  for (const operation of restOperations()) {
    for (const { name, headers, status, mode } of credentials) {
      for (const prefix of arena.some(['', '/api'])) {
        const { answer, line, bytes } = await send(service, operation, victim.owned[mode], headers, prefix);
        const leak = leakIn(answer, victim.canaries, bytes);
        const failure =
          answer.status !== status
            ? `${answer.status} instead of ${status}: ${answer.text.slice(0, 120)}`
            : leak
              ? `shows ${leak}`
              : restBodyError(answer, operation.isCrypto);
        tally(`${line} with ${name}`, failure);
      }
    }
  }
}

type BadCredential = { name: string; headers: Record<string, string>; status: number; mode: Mode };

async function badCredentials(service: TestService, victim: Tenant): Promise<BadCredential[]> {
  const valid = await victim.newKey('test');
  const flipped = valid.slice(0, -1) + (valid.endsWith('0') ? '1' : '0');
  const cookie = [...victim.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const all: BadCredential[] = [];
  const add = (name: string, headers: Record<string, string>, status = 401, mode: Mode = 'test') =>
    all.push({ name, headers, status, mode });
  add('no key', {});
  for (const key of [
    'x',
    flipped,
    valid.toUpperCase(),
    valid.slice(0, 20),
    'a'.repeat(4_000),
    `${valid}${valid}`,
    '%00',
    'null',
  ])
    add(`the malformed key ${key.slice(0, 8)}…`, { 'x-api-key': key });
  add('an empty key', { 'x-api-key': '' });
  add('the key as a bearer token', { authorization: `Bearer ${valid}` });
  add('the key as a cookie', { cookie: `x-api-key=${valid}` });
  add("a member's session", { cookie });
  for (const mode of MODES) {
    add(`an unknown key (${mode})`, { 'x-api-key': generateApiKey(mode) }, 401, mode);
    const revoked = await victim.newKey(mode);
    await revokeApiKey(service.deps, revoked);
    add(`a revoked key (${mode})`, { 'x-api-key': revoked }, 401, mode);
    const expired = await victim.newKey(mode, { expiresAt: new Date(service.deps.clock().getTime() - 1_000) });
    add(`an expired key (${mode})`, { 'x-api-key': expired }, 401, mode);
    const elsewhere = await victim.newKey(mode, { allowedIps: ['203.0.113.0/24'] });
    const spoofed = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9', 'x-real-ip': '203.0.113.9' };
    add(`a key from elsewhere (${mode})`, { 'x-api-key': elsewhere, ...spoofed }, 403, mode);
  }
  return all;
}

/** A key may do only what its permissions say. */
export async function attackPermissions({ arena, service, attacker }: Matrix): Promise<void> {
  // ASVS 8.2.1, 8.3.1
  const tally = arena.attack('REST with a key of one permission');
  for (const mode of MODES) {
    const keys = new Map<string, string>();
    for (const permission of PERMISSIONS)
      keys.set(permission, await attacker.newKey(mode, { permissions: [permission] }));
    for (const operation of restOperations()) {
      for (const [permission, key] of keys) {
        const { who } = operation.rule;
        const isAllowed = who === 'key' || who === permission;
        const { answer, line } = await send(service, operation, attacker.owned[mode], { 'x-api-key': key });
        const isRejected = [401, 403].includes(answer.status);
        const failure = isAllowed
          ? isRejected || answer.status === 404 || answer.status >= 500
            ? `${answer.status} to its owner: ${answer.text.slice(0, 120)}`
            : null
          : answer.status !== 403
            ? `${answer.status} without ${who}: ${answer.text.slice(0, 120)}`
            : restBodyError(answer, operation.isCrypto);
        tally(`${line} (${mode}) with a key that has ${permission}`, failure);
      }
    }
  }
}

/**
 * Things of another merchant, or of the same merchant's other account, answer as things that do not
 * exist.
 */
export async function attackOtherTenants({ arena, service, victim, attacker, victimKeys }: Matrix): Promise<void> {
  // ASVS 8.2.2
  const tally = arena.attack("REST on another tenant's things");
  const nowhere = idsOfNothing(service.deps.clock());
  const operations = restOperations();
  for (const mode of MODES) {
    const other: Mode = mode === 'live' ? 'test' : 'live';
    const callers = [
      { name: `another merchant's ${mode} key`, key: await attacker.newKey(mode), all: true },
      { name: `another merchant's ${other} key`, key: await attacker.newKey(other), all: false },
      { name: `the merchant's own ${other} key`, key: victimKeys[other], all: false },
    ];
    for (const { name, key, all } of callers) {
      for (const operation of operations) {
        if (!operation.rule.names && !all) continue;
        const { answer, line, bytes } = await send(service, operation, victim.owned[mode], { 'x-api-key': key });
        const leak = leakIn(answer, victim.canaries, bytes);
        let failure = leak && `shows ${leak}`;
        if (!failure && operation.rule.names) {
          const absent = await send(service, operation, nowhere, { 'x-api-key': key });
          if (answer.status !== 404) failure = `${answer.status} instead of 404: ${answer.text.slice(0, 120)}`;
          else if (comparable(answer) !== comparable(absent.answer))
            failure = `differs from what does not exist: ${answer.text} and ${absent.answer.text}`;
        }
        tally(`${line} with ${name}`, failure);
      }
    }
  }
}
