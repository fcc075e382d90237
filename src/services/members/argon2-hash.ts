import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

/** What one hash takes: memory in KiB, and how often it is gone through. */
export type HashCost = { memory: number; passes: number };

/**
 * The least that OWASP's Password Storage Cheat Sheet asks of argon2id: 19 MiB, two passes, one
 * lane. 27 ms of a core.
 */
const COST: HashCost = { memory: 19_456, passes: 2 };
/** RFC 9106 section 3.1 recommends 16 bytes of salt, and 32 of hash are above any search. */
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** PHC string format; 19 is version 1.3 of argon2, the only one that Node has. */
const STORED = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=1\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{43})$/;

/**
 * The argon2id hash of a password, with a salt of its own, as what the database keeps (PHC string
 * format). A password is the same however its letters are composed (Unicode NFKC).
 */
export async function hashByArgon2(password: string, cost: HashCost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${unpadded(salt)}$${unpadded(hash)}`;
}

/** Whether the password is that of the hash, at the cost that the hash was made at. */
export async function verifyByArgon2({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const [, memory, passes, salt = '', expected = ''] = STORED.exec(hash) ?? [];
  if (!expected) throw new Error('Invalid password hash.');
  const cost = { memory: Number(memory), passes: Number(passes) };
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64'), cost), Buffer.from(expected, 'base64'));
}

/** Whether a stored hash is one of argon2id. */
export const isArgon2Hash = (hash: string): boolean => hash.startsWith('$argon2id$');

function derive(password: string, nonce: Buffer, cost: HashCost): Promise<Buffer> {
  const parameters = { message: password.normalize('NFKC'), nonce, parallelism: 1, tagLength: HASH_BYTES, ...cost };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
