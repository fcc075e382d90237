import { availableParallelism } from 'node:os';
import { verifyPassword } from '@better-auth/utils/password';
import { DomainError } from '#domain/errors/domain-error.ts';
import { createGate } from '#domain/requests/gate.ts';
import { hashByArgon2, isArgon2Hash, verifyByArgon2 } from './argon2-hash.ts';

/**
 * How many passwords are hashed at once (argon2id, 19 MiB and 27 ms of a core each). They run on
 * libuv's threads, four unless configured otherwise, which also resolve the names of providers'
 * hosts and read files: one core and two threads stay free for those. Two are enough for any number
 * of cores: 70 sign-ins a second are above what one installation sees.
 */
export const hashesAtOnce = (cores: number): number => Math.min(2, Math.max(1, cores - 1));
/**
 * How many passwords wait for that: a second's worth where one is hashed at once. Further ones are
 * rejected at once.
 */
export const HASHES_WAITING_MAX = 32;
/** Longer than the last in the queue waits, except on a machine too slow for the queue to help. */
const WAIT_MS_MAX = 15_000;
/** The time to retry after a rejection: by then the queue has changed. */
const RETRY_SECONDS = 5;

const FUNCTIONS = {
  derive: (password: string) => hashByArgon2(password),
  // The first installations have hashes of scrypt, as better-auth makes them.
  compare: ({ hash, password }: Hashed) =>
    isArgon2Hash(hash) ? verifyByArgon2({ hash, password }) : verifyPassword(hash, password),
};

type Hashed = { hash: string; password: string };

export type PasswordHashing = {
  /** What the database keeps. Errors (DomainError): too_many_attempts, with the seconds. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is that of the hash. Errors (DomainError): too_many_attempts, with the
   * seconds.
   */
  verify(given: Hashed): Promise<boolean>;
};

/**
 * Limits the hashing of all passwords together, so that a flood of sign-ins takes nothing from
 * other requests. `instead`: other functions, for tests.
 */
export function createPasswordHashing(cores: number, instead: Partial<typeof FUNCTIONS> = {}): PasswordHashing {
  const functions = { ...FUNCTIONS, ...instead };
  const gate = createGate({ running: hashesAtOnce(cores), waiting: HASHES_WAITING_MAX, waitMs: WAIT_MS_MAX });
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const leave = await gate.enter('');
    if (!leave) throw new DomainError('too_many_attempts', { params: { seconds: String(RETRY_SECONDS) } });
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return {
    hash: (password) => inTurn(() => functions.derive(password)),
    verify: (given) => inTurn(() => functions.compare(given)),
  };
}

/** The instance of this process: every password is hashed by it. */
export const passwordHashing = createPasswordHashing(availableParallelism());
