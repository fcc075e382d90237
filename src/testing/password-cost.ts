import { randomBytes, scrypt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { createPasswordHashing, passwordHashing } from '#services/members/password-hashing.ts';

type Hashed = { hash: string; password: string };

const FULL = createPasswordHashing(availableParallelism());
const CHEAP = { cost: 16, blockSize: 16, parallelization: 1 };
const KEY_BYTES = 64;
const SALT_BYTES = 16;

let isFull = false;

/**
 * Makes this process hash passwords at a thousandth of the cost from now on, with the same bound on
 * how many at once.
 */
export function hashCheaply(): void {
  const functions = {
    derive: (password: string) => (isFull ? FULL.hash(password) : derive(password)),
    compare: (given: Hashed) => (isFull ? FULL.verify(given) : compare(given)),
  };
  Object.assign(passwordHashing, createPasswordHashing(availableParallelism(), functions));
}

/** Runs `work` at the product's own cost, for a test about it. */
export async function atFullCost<T>(work: () => Promise<T>): Promise<T> {
  isFull = true;
  return work().finally(() => {
    isFull = false;
  });
}

/** Writes a hash in the product's format. */
async function derive(password: string, salt = randomBytes(SALT_BYTES).toString('hex')): Promise<string> {
  const key = await deriveKey(password.normalize('NFKC'), salt, KEY_BYTES, CHEAP);
  return `${salt}:${key.toString('hex')}`;
}

async function compare({ hash, password }: Hashed): Promise<boolean> {
  return (await derive(password, hash.split(':')[0])) === hash;
}

const deriveKey = promisify(scrypt) as (text: string, salt: string, bytes: number, cost: object) => Promise<Buffer>;
