import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { withChangeBefore } from '#db/testing/with-change-before.ts';
import { payCharge } from '#testing/paid-charge.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { getOverview } from './get-overview.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

test('a charge that is paid while the overview is read is counted once', async () => {
  const { accountId, apiKey = '' } = await trilho.openAccount();
  const { deps } = trilho;
  const charge = async () => transactionIdOf(await trilho.post('/payments/transactions', apiKey, { amount: 10 }));
  const [id] = [await charge(), await charge()];
  let paid: Promise<unknown> | undefined;
  const pool = withChangeBefore(deps.db.pool, 'waiting', () => {
    paid ??= payCharge(trilho, apiKey, id);
    return paid;
  });
  const terms = await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (!terms) throw new Error('The account was not opened.');
  const { conversion } = await getOverview({ ...deps, db: { ...deps.db, pool } }, terms, '7d');
  expect(conversion).toEqual({ made: 2, paid: 1, expired: 0, cancelled: 0, waiting: 1 });
});
