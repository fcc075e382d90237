import { availableParallelism } from 'node:os';
import { hashPassword as derive, verifyPassword } from '@better-auth/utils/password';
import { DomainError } from '#domain/errors/domain-error.ts';
import { createGate } from '#domain/requests/gate.ts';

/**
 * How many passwords are hashed at once (scrypt, 32 MiB and 124 ms of a core each). They run on
 * libuv's threads, four unless configured otherwise, which also resolve the names of providers'
 * hosts and read files: one core and two threads stay free for those. Two are enough for any number
 * of cores: 16 sign-ins a second are above what one installation sees.
 */
export const hashesAtOnce = (cores: number): number => Math.min(2, Math.max(1, cores - 1));
/**
 * How many passwords wait for that: four seconds' worth where one is hashed at once. Further ones
 * are rejected at once.
 */
export const HASHES_WAITING_MAX = 32;
/** Longer than the last in the queue waits, except on a machine too slow for the queue to help. */
const WAIT_MS_MAX = 15_000;
/** The time to retry after a rejection: by then the queue has changed. */
const RETRY_SECONDS = 5;

/** As better-auth hashes: what it exports itself brings the whole of its cryptography. */
const FUNCTIONS = {
  derive,
  compare: ({ hash, password }: { hash: string; password: string }) => verifyPassword(hash, password),
};

export type PasswordHashing = {
  /** What the database keeps. Errors (DomainError): too_many_attempts, with the seconds. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is that of the hash. Errors (DomainError): too_many_attempts, with the
   * seconds.
   */
  verify(given: { hash: string; password: string }): Promise<boolean>;
};

/**
 * Limits the hashing of all passwords together, so that a flood of sign-ins takes nothing from
 * other requests.
 */
export function createPasswordHashing(cores: number, functions = FUNCTIONS): PasswordHashing {
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
