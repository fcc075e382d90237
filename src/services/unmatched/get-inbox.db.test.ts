import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

async function received(accountId: string, count: number): Promise<string> {
  const now = trilho.deps.clock();
  const id = uuidv7(now);
  const payment = { id, rail: 'sandbox', mode: 'test', accountId, txid: null, payerNote: null } as const;
  const endToEndId = `E99999999202611201200${String(count).padStart(11, '0')}`;
  await recordUnmatched(trilho.deps.db.pool, { ...payment, endToEndId, centavos: 10_00n, paidAt: now, createdAt: now });
  return id;
}

test.each(['before', 'after'] as const)(
  'a payment decided just %s its inbox reads what waits is shown once',
  async (when) => {
    const { accountId } = await trilho.openAccount();
    const id = await received(accountId, when === 'before' ? 1 : 2);
    const by = byOperator('ana');
    const decide = () =>
      depositPayment(trilho.deps, { id, accountId: null, toAccountId: accountId, reason: 'a donation', by });
    const { pool } = trilho.deps.db;
    const query = async (statement: pg.QueryConfig) => {
      if (statement.name !== 'list-open-unmatched') return pool.query(statement);
      if (when === 'before') await decide();
      const found = await pool.query(statement);
      if (when === 'after') await decide();
      return found;
    };
    const db = { ...trilho.deps.db, pool: { query } as unknown as pg.Pool };
    const { received: inbox } = await getInbox({ ...trilho.deps, db }, accountId);
    expect(inbox).toMatchObject({ waiting: [], decided: [{ id, state: 'deposited' }] });
  },
);
