import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { addMasterKey, generateMasterKeys, promoteMasterKey, removeMasterKey } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { rotateKeys } from '../encryption/rotate-keys.ts';
import { getSigningKey } from './signing-key.ts';

const v1 = generateMasterKeys();
const both = promoteMasterKey(addMasterKey(v1), 'v2') ?? '';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 4 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('the signing key is made once, signs as Ed25519, and is the same after the master key was replaced', async () => {
  const secretBox = createSecretBox(v1);
  const [first, second] = await Promise.all([getSigningKey({ db, secretBox }), getSigningKey({ db, secretBox })]);
  expect(second.publicKey).toBe(first.publicKey);
  const x = Buffer.from(first.publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  expect(verify(null, Buffer.from('text'), key, Buffer.from(first.sign('text'), 'hex'))).toBe(true);

  await rotateKeys({ db, secretBox: createSecretBox(both) });
  const alone = createSecretBox(removeMasterKey(both, 'v1') ?? '');
  expect((await getSigningKey({ db, secretBox: alone })).publicKey).toBe(first.publicKey);
});
