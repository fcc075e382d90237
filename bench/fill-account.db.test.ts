import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { openAccount } from '#services/accounts/open-account.ts';
import { openEventBody } from '#services/webhooks/seal-event-body.ts';
import { PLAIN_ACCOUNT } from '#testing/plain-account.ts';
import { type Database, openDatabase } from '../src/db/connection/database.ts';
import { fillAccount } from './fill-account.ts';

const TRANSACTIONS = 500;

let database: TestDatabase;
let owner: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = openDatabase(database.ownerUrl, { max: 2 });
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

test('an account that the bench fills has its transactions, a ledger that balances, and events that can be opened', async () => {
  const secretBox = createSecretBox(generateMasterKeys());
  const { accountId } = await openAccount(
    { db: owner, secretBox, clock: () => new Date(), settings: { demo: true } },
    { ...PLAIN_ACCOUNT, name: 'Sapataria Passo Certo', email: 'bench@example.com' },
  );
  await fillAccount(owner, secretBox, accountId, TRANSACTIONS);
  const { rows } = await owner.pool.query<{ count: bigint }>(
    'SELECT count(*) FROM transactions WHERE account_id = $1',
    [accountId],
  );
  expect(rows).toEqual([{ count: BigInt(TRANSACTIONS) }]);
  expect((await checkLedger(owner.pool)).discrepancies).toEqual([]);
  // As the service opens them.
  const sealed = await owner.pool.query<{ id: string; body: string }>('SELECT id, body FROM events LIMIT 1');
  const { id = '', body = '' } = sealed.rows[0] ?? {};
  expect(openEventBody({ secretBox }, id, body)).toContain('"transaction_id":');
});
