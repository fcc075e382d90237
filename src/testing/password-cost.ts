import { availableParallelism } from 'node:os';
import { hashByArgon2 } from '#services/members/argon2-hash.ts';
import { createPasswordHashing, passwordHashing } from '#services/members/password-hashing.ts';

/** As little memory as argon2 allows. */
const CHEAP = { memory: 8, passes: 1 };

let isFull = false;

/**
 * Makes this process hash passwords at a thousandth of the cost from now on, with the same bound on
 * how many at once. A hash is verified at the cost that it was made at.
 */
export function hashCheaply(): void {
  const derive = (password: string) => (isFull ? hashByArgon2(password) : hashByArgon2(password, CHEAP));
  Object.assign(passwordHashing, createPasswordHashing(availableParallelism(), { derive }));
}

/** Runs `work` at the product's own cost, for a test about it. */
export async function atFullCost<T>(work: () => Promise<T>): Promise<T> {
  isFull = true;
  return work().finally(() => {
    isFull = false;
  });
}
