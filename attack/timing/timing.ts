import { generateApiKey } from '#domain/api-keys/api-key-format.ts';
import { createApiKey, revokeApiKey } from '#services/api-keys/manage-api-keys.ts';
import { openMember } from '../../src/testing/panel-browser.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import { PROXY_VARIABLES } from '../sign-in/visitors.ts';
import type { Arena, Subject } from '../subject.ts';
import { compareTimes, T_MAX } from './compare-times.ts';
import { measureKinds, openTimedClient } from './measure-kinds.ts';

/**
 * What the time of a rejection reveals. `npm test` leaves it out: a test does not depend on how
 * fast a machine is.
 */
export const timing: Subject = {
  name: 'timing',
  async run(arena) {
    // The limits are out of the way: an attacker has many addresses, and time.
    const service = await arena.start({
      variables: { RATE_LIMIT_FAILED_KEYS: '10000000', LOG_LEVEL: 'info', ...PROXY_VARIABLES },
    });
    await attackKeys(arena, service);
    await attackLogins(arena, service);
    await attackResets(arena, service);
  },
};

const KEY_KINDS = ['wrong prefix', 'wrong checksum', 'unknown', 'revoked', 'expired'] as const;
type KeyKind = (typeof KEY_KINDS)[number];

/**
 * What nobody may distinguish. Prefix and checksum are public, and keys where they are wrong are
 * rejected without the database: their times differ from those of the others by design.
 */
const ALIKE: readonly [KeyKind, KeyKind][] = [
  ['unknown', 'revoked'],
  ['unknown', 'expired'],
  ['revoked', 'expired'],
];
const DIFFERENT_BY_DESIGN: readonly [KeyKind, KeyKind][] = [
  ['wrong prefix', 'wrong checksum'],
  ['wrong checksum', 'unknown'],
];

/** Several of each kind, so that where one lies in the index is not what is measured. */
const KEYS_OF_A_KIND = 20;

/** Whether a key that is rejected was valid once. */
async function attackKeys(arena: Arena, service: TestService): Promise<void> {
  const tally = arena.attack('whether a key that is rejected was valid once');
  const keys = await makeKeys(service);
  const client = openTimedClient(service.url);
  const answers = new Set<string>();
  const times = await measureKinds(arena, KEY_KINDS, {
    rounds: arena.times(400, 4_000),
    warmUpRounds: 200,
    async call(kind) {
      const key = keys[kind][Math.floor(arena.random() * KEYS_OF_A_KIND)] ?? '';
      const { ms, status, text } = await client.send({
        method: 'GET',
        path: '/payments/balance',
        headers: { 'x-api-key': key },
      });
      answers.add(`${status} ${text}`);
      return ms;
    },
  });
  client.close();
  tally('the text', sameAnswer(answers, 401));
  for (const pair of ALIKE) tally(pair.join(' and '), compared(arena, times, pair));
  for (const pair of DIFFERENT_BY_DESIGN) compared(arena, times, pair);
}

async function makeKeys(service: TestService): Promise<Record<KeyKind, string[]>> {
  const { accountId } = await service.openAccount();
  const keys: Record<KeyKind, string[]> = {
    'wrong prefix': [],
    'wrong checksum': [],
    unknown: [],
    revoked: [],
    expired: [],
  };
  const make = async (expiresAt: Date | null) => {
    const made = await createApiKey(service.deps, { accountId, name: 'timing', expiresAt });
    if (!made) throw new Error('A key could not be made.');
    return made.apiKey;
  };
  for (let number = 0; number < KEYS_OF_A_KIND; number++) {
    const other = generateApiKey('test');
    keys['wrong prefix'].push(`tk_${other.slice(3)}`);
    keys['wrong checksum'].push(other.slice(0, -1) + (other.endsWith('0') ? '1' : '0'));
    keys.unknown.push(generateApiKey('test'));
    const revoked = await make(null);
    await revokeApiKey(service.deps, revoked);
    keys.revoked.push(revoked);
    keys.expired.push(await make(new Date(service.deps.clock().getTime() - 1_000)));
  }
  return keys;
}

/** What an address may be tried with that has a login, or has none. */
type AddressAttack = {
  name: string;
  path: string;
  /** What the service is sent; the addresses are of one length. */
  bodyOf: (email: string) => object;
  /** The answer to both. */
  status: number;
  /** The first two numbers of the visitors' addresses. */
  network: string;
  /** Below what may be tried for one address in an hour; then the member gets another one. */
  roundsOfAnAddress: number;
  rounds: number;
};

/** Whether an address has a login, by a sign-in. */
const attackLogins = (arena: Arena, service: TestService): Promise<void> =>
  attackAddresses(arena, service, {
    name: 'whether an address has a login',
    path: '/api/auth/sign-in/email',
    bodyOf: (email) => ({ email, password: 'não é esta a senha' }),
    status: 401,
    network: '198.18',
    roundsOfAnAddress: 15,
    rounds: arena.times(100, 1_000),
  });

/** Whether an address has a login, by the request for a new password. */
const attackResets = (arena: Arena, service: TestService): Promise<void> =>
  attackAddresses(arena, service, {
    name: 'whether a new password is mailed to an address',
    path: '/api/auth/request-password-reset',
    bodyOf: (email) => ({ email }),
    status: 200,
    network: '198.19',
    roundsOfAnAddress: 3,
    rounds: arena.times(50, 500),
  });

const ADDRESS_KINDS = ['no login', 'a login'] as const;

async function attackAddresses(arena: Arena, service: TestService, attack: AddressAttack): Promise<void> {
  const { name, path, bodyOf, status: expected, network, roundsOfAnAddress, rounds } = attack;
  const tally = arena.attack(name);
  const { email } = await openMember(service, `first-${network}@example.com`);
  const client = openTimedClient(service.url);
  const answers = new Set<string>();
  let calls = 0;
  let known = email;
  const times = await measureKinds(arena, ADDRESS_KINDS, {
    rounds,
    warmUpRounds: 30,
    async call(kind) {
      const number = Math.floor(calls++ / (roundsOfAnAddress * ADDRESS_KINDS.length));
      const next = `pessoa-${network}-${number}@example.com`;
      if (next !== known) await service.asOwner(`UPDATE members SET email = '${next}' WHERE email = '${known}'`);
      known = next;
      const unknown = `alguem-${network}-${number}@example.com`;
      const { ms, status, text } = await client.send({
        method: 'POST',
        path,
        headers: {
          origin: service.url,
          'content-type': 'application/json',
          'x-forwarded-for': `${network}.${number >> 8}.${number & 255}`,
        },
        body: JSON.stringify(bodyOf(kind === 'a login' ? known : unknown)),
      });
      answers.add(`${status} ${text}`);
      return ms;
    },
  });
  client.close();
  tally('the text', sameAnswer(answers, expected));
  tally(ADDRESS_KINDS.join(' and '), compared(arena, times, ADDRESS_KINDS));
}

/** What is wrong with the answers of all kinds; null: they are one and the same. */
function sameAnswer(answers: ReadonlySet<string>, status: number): string | null {
  const [answer = ''] = answers;
  return answers.size === 1 && answer.startsWith(`${status} `) ? null : [...answers].join(' and ');
}

/** Reports how the times of two kinds differ; null: not so that it shows. */
function compared<Kind extends string>(
  arena: Arena,
  times: Record<Kind, number[]>,
  [one, other]: readonly [Kind, Kind],
): string | null {
  const { t, meanMs } = compareTimes(times[one], times[other]);
  const difference = `t ${t.toFixed(1)}, ${(meanMs * 1000).toFixed(0)} µs in the mean`;
  arena.note(`${one} and ${other}: ${difference}`);
  return Math.abs(t) < T_MAX ? null : `distinguished by time: ${difference}`;
}
