import { afterAll, beforeAll, expect, test } from 'vitest';
import { withChangeBefore } from '#db/testing/with-change-before.ts';
import { recordUnmatched } from '#db/unmatched/unmatched.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { byOperator } from './by-operator.ts';
import { depositPayment } from './decide-unmatched.ts';
import { getInbox } from './get-inbox.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

let payments = 0;
async function received(accountId: string): Promise<string> {
  const now = trilho.deps.clock();
  const id = uuidv7(now);
  const payment = { id, rail: 'sandbox', mode: 'test', accountId, txid: null, payerNote: null } as const;
  const endToEndId = `E99999999202611201200${String(++payments).padStart(11, '0')}`;
  await recordUnmatched(trilho.deps.db.pool, { ...payment, endToEndId, centavos: 10_00n, paidAt: now, createdAt: now });
  return id;
}

test.each([
  ['before', 'list-open-unmatched'],
  ['after', 'list-unmatched-of-account'],
])('a payment that is decided just %s its inbox reads what waits is shown once', async (_, late) => {
  const { accountId } = await trilho.openAccount();
  const id = await received(accountId);
  const decision = { id, accountId: null, toAccountId: accountId, reason: 'a donation', by: byOperator('ana') };
  const pool = withChangeBefore(trilho.deps.db.pool, late, () => depositPayment(trilho.deps, decision));
  const { received: inbox } = await getInbox({ ...trilho.deps, db: { ...trilho.deps.db, pool } }, accountId);
  expect(inbox).toMatchObject({ waiting: [], decided: [{ id, state: 'deposited' }] });
});
