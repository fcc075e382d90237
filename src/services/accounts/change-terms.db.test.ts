import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { setDefaultLimits } from '#db/accounts/set-default-limits.ts';
import { askDuring } from '#db/testing/ask-during.ts';
import { countLockWaits } from '#db/testing/count-lock-waits.ts';
import { parseDefaultLimits } from '#domain/accounts/default-limits.ts';
import type { TermsChange } from '#domain/accounts/terms-change.ts';
import { NO_MERCHANT_FIELDS } from '#domain/transactions/merchant-fields.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { createCharge } from '../charges/create-charge.ts';
import { NO_CUSTOMER } from '../charges/seal-texts.ts';
import type { Deps } from '../deps.ts';
import { createInvoice } from '../invoices/create-invoice.ts';
import { pixWithdrawalTerms } from '../withdrawals/new-pix-withdrawal.ts';
import { requestCryptoWithdrawal } from '../withdrawals/request-crypto-withdrawal.ts';
import { cancelPlannedTerms, changeTerms } from './change-terms.ts';
import { getLimits } from './get-limits.ts';
import { listTerms } from './list-terms.ts';
import { type SetAccountInput, setAccount } from './set-account.ts';
import { suspendAccount } from './suspend-account.ts';

/** Noon of the day before the change, and the midnight of São Paulo that follows. */
const NOON = Date.parse('2026-11-30T15:00:00.000Z');
const MIDNIGHT = new Date('2026-12-01T03:00:00.000Z');
const DAY_MS = 24 * 3_600_000;

let now = NOON;
let first: TestService;
/** Another process of the same installation, with the keys in a cache of its own. */
let second: TestService;
let accountId: string;
let apiKey: string;

beforeAll(async () => {
  first = await startTestService({ clock: () => new Date(now) });
  second = await startTestService({ clock: () => new Date(now), beside: first });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});
beforeEach(async () => {
  now = NOON;
  ({ accountId, apiKey } = await first.openAccount({ fees: [{ type: 'pix_in', fee: ONE_PERCENT }] }));
});

const ONE_PERCENT = { bps: 100, fixedCentavos: 0n };
const TWO_PERCENT = { bps: 200, fixedCentavos: 0n };
const operator = () => ({ ...first.deps, operator: 'ana@trilho.example' });
const NOTHING: TermsChange = { fees: {}, limits: {} };
const change = (terms: Partial<TermsChange>, effectiveAt: Date | null = null, reason = 'Acordo de novembro') =>
  changeTerms(operator(), { accountId, terms: { ...NOTHING, ...terms }, effectiveAt, reason });
const set = (
  limits: SetAccountInput['limits'],
  rails: SetAccountInput['rails'] = [],
  merchant: SetAccountInput['merchant'] = {},
) =>
  setAccount(operator(), {
    ...{ accountId, merchant, account: {}, fees: [], limits, rails, webhookUrl: undefined, credentials: [] },
  });

const charge = async (process: TestService) =>
  transactionIdOf(await process.post('/payments/transactions', apiKey, { amount: 100 }));
async function feeOfCharge(process: TestService): Promise<bigint> {
  const { rows } = await first.deps.db.pool.query('SELECT fee_centavos AS fee FROM transactions WHERE id = $1', [
    await charge(process),
  ]);
  return rows[0].fee;
}
const withdraw = async (process: TestService, amount: number) =>
  (
    await process.post('/payments/transfers/pix', apiKey, {
      ...{ amount, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' },
    })
  ).status;
/** The terms just before the change. */
async function termsBefore() {
  const terms = await findAccountTerms(first.deps.db.pool, accountId, new Date(MIDNIGHT.getTime() - 1));
  if (!terms) throw new Error('There is no such account.');
  return terms;
}
const fund = () => makePaidCharge(first, apiKey, { amount: 100 });

describe('a change that is planned', () => {
  test('holds from its instant on for charges of every process, whatever they have cached, and not a millisecond before', async () => {
    await change({ fees: { pix_in: TWO_PERCENT } }, MIDNIGHT);
    now = MIDNIGHT.getTime() - 1;
    for (const process of [first, second]) expect(await feeOfCharge(process)).toBe(100n);
    now = MIDNIGHT.getTime();
    for (const process of [first, second]) expect(await feeOfCharge(process)).toBe(200n);
  });

  test('holds from its instant on for withdrawals: for their fee and for their daily limit', async () => {
    await fund();
    await change(
      { fees: { pix_out: { bps: 0, fixedCentavos: 50n } }, limits: { daily_limit_out_pix: 10_00n } },
      MIDNIGHT,
    );
    now = MIDNIGHT.getTime() - 1;
    expect(await withdraw(second, 20)).toBe(200);
    now = MIDNIGHT.getTime();
    expect(await withdraw(second, 20)).toBe(400);
    expect(await withdraw(second, 10)).toBe(200);
    const { rows } = await first.deps.db.pool.query(
      "SELECT fee_centavos AS fee FROM transactions WHERE account_id = $1 AND type = 'pix_out' ORDER BY id",
      [accountId],
    );
    expect(rows.map(({ fee }) => fee)).toEqual([0n, 50n]);
  });

  test('holds for what is requested at its instant with terms that were read before', async () => {
    await change({ fees: { pix_in: TWO_PERCENT, crypto_in: TWO_PERCENT } }, MIDNIGHT);
    const before = await termsBefore();
    now = MIDNIGHT.getTime();
    const { id } = await createCharge(first.deps, before, {
      ...{ id: uuidv7(MIDNIGHT), amountCentavos: 100_00n, description: null, callbackUrl: null, split: null },
      ...{ customer: NO_CUSTOMER, expiresInSeconds: null, merchantFields: NO_MERCHANT_FIELDS },
    });
    const { rows } = await first.deps.db.pool.query('SELECT fee_centavos AS fee FROM transactions WHERE id = $1', [id]);
    expect(rows).toEqual([{ fee: 200n }]);
    const invoice = await createInvoice(first.deps, before, {
      ...{ id: uuidv7(MIDNIGHT), amountCentavos: 100_00n, description: null, callbackUrl: null },
      ...{ customer: NO_CUSTOMER, expiresInSeconds: null, merchantFields: NO_MERCHANT_FIELDS, currency: 'USDT_BSC' },
    });
    expect(invoice.feeCentavos).toBe(200n);
  });

  test.each([
    ['PIX', (deps: Deps) => pixWithdrawalTerms(deps, accountId, 20_00n)],
    [
      'crypto',
      async (deps: Deps) =>
        requestCryptoWithdrawal(
          deps,
          { ...(await termsBefore()), actor: null, origin: { ipAddress: null, userAgent: null } },
          {
            ...{ id: uuidv7(MIDNIGHT), amountCentavos: 50_00n, wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
            ...{ memo: null, currency: 'USDT_BSC', merchantFields: NO_MERCHANT_FIELDS },
          },
        ),
    ],
  ])('holds for a withdrawal over %s whose terms were read just before its instant', async (_rail, request) => {
    await fund();
    const fee = { bps: 0, fixedCentavos: 50n };
    await change({ fees: { pix_out: fee, crypto_out: fee } }, MIDNIGHT);
    let reads = 0;
    const clock = () => new Date(MIDNIGHT.getTime() - (reads++ === 0 ? 1 : 0));
    expect(await request({ ...first.deps, clock })).toMatchObject({ feeCentavos: 50n });
  });

  test('is put in force by its task where nobody reads the terms', async () => {
    const id = await change({ spreadBps: 70, toleranceBps: 10 }, MIDNIGHT);
    now = MIDNIGHT.getTime() + 1;
    await first.until('it is in force', async () => {
      const { rows } = await first.deps.db.pool.query(
        'SELECT spread_bps AS spread, tolerance_bps AS tolerance, terms_change_at AS next FROM accounts WHERE id = $1',
        [accountId],
      );
      return rows[0].spread === 70 && rows[0].tolerance === 10 && rows[0].next === null ? true : null;
    });
    await first.until('its task is done', async () => {
      const { rowCount } = await first.deps.db.pool.query('SELECT FROM tasks WHERE subject_id = $1', [id]);
      return rowCount === 0 || null;
    });
  });

  test('comes after one that is planned for an earlier instant, and each lists the terms that held until then', async () => {
    const later = new Date(MIDNIGHT.getTime() + DAY_MS);
    await change({ limits: { daily_limit_out_pix: null } }, later);
    await change({ limits: { daily_limit_out_pix: 700_00n } }, MIDNIGHT);
    now = later.getTime() + 1;
    expect((await getLimits(first.deps, accountId)).limits.daily_limit_out_pix).toBeNull();
    const entries = await listTerms(first.deps, accountId);
    expect(entries.map(({ effectiveAt, state, before }) => [effectiveAt, state, before?.limits])).toEqual([
      [later, 'in_force', { daily_limit_out_pix: 700_00n }],
      [MIDNIGHT, 'in_force', { daily_limit_out_pix: 'default' }],
    ]);
  });

  test('never takes effect once it is cancelled, and is not cancelled once it has', async () => {
    const id = await change({ fees: { pix_in: TWO_PERCENT } }, MIDNIGHT);
    const other = (await first.openAccount()).accountId;
    const cancel = (account = accountId) => cancelPlannedTerms(operator(), { accountId: account, changeId: id });
    await expect(cancel(other)).rejects.toMatchObject({ code: 'invalid_state' });
    await cancel();
    await expect(cancel()).rejects.toMatchObject({ code: 'invalid_state' });
    now = MIDNIGHT.getTime() + 1;
    expect(await feeOfCharge(second)).toBe(100n);
    const [entry] = await listTerms(first.deps, accountId);
    expect([entry?.state, entry?.cancelledBy]).toEqual(['cancelled', 'ana@trilho.example']);

    const kept = await change({ fees: { pix_in: TWO_PERCENT } }, new Date(now + DAY_MS));
    now += DAY_MS;
    await expect(cancelPlannedTerms(operator(), { accountId, changeId: kept })).rejects.toMatchObject({
      code: 'invalid_state',
    });
    expect(await feeOfCharge(second)).toBe(200n);
  });
});

test('an immediate change holds in every process within moments, and is listed with who made it, why, and what held before', async () => {
  for (const process of [first, second]) expect(await feeOfCharge(process)).toBe(100n);
  await change({ fees: { pix_in: TWO_PERCENT }, limits: { minimal_value_in_pix: 5_00n } });
  for (const process of [first, second]) {
    await process.until('it holds', async () => ((await feeOfCharge(process)) === 200n ? true : null));
  }
  const [entry] = await listTerms(first.deps, accountId);
  expect(entry).toMatchObject({
    state: 'in_force',
    terms: { fees: { pix_in: TWO_PERCENT }, limits: { minimal_value_in_pix: 5_00n } },
    before: { fees: { pix_in: ONE_PERCENT }, limits: { minimal_value_in_pix: 'default' } },
    reason: 'Acordo de novembro',
    createdBy: 'ana@trilho.example',
    effectiveAt: new Date(NOON),
  });
});

test('a change and its cancellation are recorded in the audit in their own commit, or not made', async () => {
  const id = await change({ fees: { pix_in: TWO_PERCENT } }, MIDNIGHT);
  const planned = async () => (await listTerms(first.deps, accountId)).map(({ state }) => state);
  await first.asOwner('ALTER TABLE audit_records ADD CONSTRAINT no_more CHECK (false) NOT VALID');
  try {
    await expect(change({ spreadBps: 10 })).rejects.toThrow();
    await expect(cancelPlannedTerms(operator(), { accountId, changeId: id })).rejects.toThrow();
  } finally {
    await first.asOwner('ALTER TABLE audit_records DROP CONSTRAINT no_more');
  }
  expect(await planned()).toEqual(['planned']);
  await cancelPlannedTerms(operator(), { accountId, changeId: id });
  const { rows } = await first.deps.db.pool.query(
    'SELECT action, details FROM audit_records WHERE account_id = $1 AND details @> $2 ORDER BY id',
    [accountId, JSON.stringify({ subject: id })],
  );
  const by = { subject: id, operator: 'ana@trilho.example' };
  expect(rows).toEqual([
    {
      action: 'account.terms_planned',
      details: {
        ...by,
        'fee pix_in_before': '100 0',
        'fee pix_in': '200 0',
        effective_from: MIDNIGHT.toISOString(),
        reason: 'Acordo de novembro',
      },
    },
    { action: 'account.terms_cancelled', details: by },
  ]);
});

test.each<[what: string, terms: Partial<TermsChange>, at: Date | null, issue: string]>([
  ['nothing', {}, null, 'empty'],
  ['an instant that is past', { spreadBps: 1 }, new Date(NOON), 'not_in_coming_years'],
  ['an instant in years', { spreadBps: 1 }, new Date(NOON + 3 * 366 * DAY_MS), 'not_in_coming_years'],
  [
    'a minimum above the maximum',
    { limits: { minimal_value_out_pix: 2n, maximal_value_out_pix: 1n } },
    null,
    'range_reversed',
  ],
])('%s is no change of terms', async (_, terms, at, issue) => {
  await expect(change(terms, at)).rejects.toMatchObject({ code: 'invalid_input', details: [{ issue }] });
  expect(await listTerms(first.deps, accountId)).toEqual([]);
});

test('a change that a planned one would turn into a reversed range is rejected, and so is a thirteenth planned change', async () => {
  await change({ limits: { maximal_value_out_pix: 10_00n } }, MIDNIGHT);
  await expect(change({ limits: { minimal_value_out_pix: 11_00n } })).rejects.toMatchObject({ code: 'invalid_input' });
  for (let days = 1; days < 12; days++) await change({ spreadBps: days }, new Date(MIDNIGHT.getTime() + days * DAY_MS));
  await expect(change({ spreadBps: 50 }, MIDNIGHT)).rejects.toMatchObject({ code: 'too_many_planned' });
});

test('a planned change is not cancelled without which a later one would leave no amount between its bounds', async () => {
  const nextDay = new Date(MIDNIGHT.getTime() + DAY_MS);
  await change({ limits: { maximal_value_out_pix: 15_000_00n } });
  const raised = await change({ limits: { maximal_value_out_pix: 50_000_00n } }, MIDNIGHT);
  const later = await change({ limits: { minimal_value_out_pix: 20_000_00n } }, nextDay);
  const cancel = (changeId: string) => cancelPlannedTerms(operator(), { accountId, changeId });
  await expect(cancel(raised)).rejects.toMatchObject({
    ...{ code: 'invalid_input', details: [{ issue: 'range_reversed' }] },
  });
  await cancel(later);
  await cancel(raised);
  expect((await listTerms(first.deps, accountId)).map(({ state }) => state)).toEqual([
    'cancelled',
    'cancelled',
    'in_force',
  ]);
});

test('an account is not set to a range without any amount either, now or with what is planned', async () => {
  await change({ limits: { maximal_value_out_pix: 10_00n } }, MIDNIGHT);
  const least = { name: 'minimal_value_out_pix', centavos: 11_00n } as const;
  await expect(set([least])).rejects.toMatchObject({ why: 'terms' });
  await expect(set([least, { name: 'maximal_value_out_pix', centavos: 10_99n }])).rejects.toThrow('above its largest');
  expect((await listTerms(first.deps, accountId)).map(({ state }) => state)).toEqual(['planned']);
  expect(await set([{ name: 'minimal_value_out_pix', centavos: 9_00n }])).toBe(true);
  // Nor with what the installation's limits are, to which it may go back.
  await setDefaultLimits(first.deps.db.pool, { ...parseDefaultLimits(''), maximal_value_in_pix: 50_00n } as never);
  try {
    const max = { name: 'maximal_value_in_pix', centavos: 200_00n } as const;
    const min = { name: 'minimal_value_in_pix', centavos: 100_00n } as const;
    expect(await set([max, min])).toBe(true);
    await expect(set([{ ...max, centavos: 'default' }])).rejects.toMatchObject({ why: 'terms' });
    await expect(first.openAccount({ limits: [min] })).rejects.toMatchObject({ why: 'terms' });
    await expect(first.openAccount({ limits: [{ ...max, centavos: 0n }] })).rejects.toMatchObject({ why: 'terms' });
    await first.openAccount({ limits: [min, { ...max, centavos: null }] });
  } finally {
    await setDefaultLimits(first.deps.db.pool, parseDefaultLimits('none') as never);
  }
});

test('a change that two processes put in force at once is put in force by one of them', async () => {
  await change({ fees: { pix_in: TWO_PERCENT } }, MIDNIGHT);
  const { pool } = first.deps.db;
  const apply = (db: pg.Pool) => db.query('SELECT terms_apply_due($1, $2) AS applied', [accountId, MIDNIGHT]);
  const { rows } = await askDuring(pool, apply, () => apply(pool));
  expect(rows).toEqual([{ applied: 0 }]);
});

test('operations that two operators turn off at once are both off', async () => {
  const { pool } = first.deps.db;
  await askDuring(
    pool,
    (session) => session.query("UPDATE accounts SET inactive_rails = '{crypto_in}' WHERE id = $1", [accountId]),
    () => set([], [{ type: 'crypto_out', active: false }]),
  );
  const { rows } = await pool.query('SELECT inactive_rails::text[] AS off FROM accounts WHERE id = $1', [accountId]);
  expect(rows).toEqual([{ off: expect.arrayContaining(['crypto_in', 'crypto_out']) }]);
});

test('an account and its merchant are changed beside a withdrawal that locks them: both go through', async () => {
  const { pool } = first.deps.db;
  let changing: Promise<boolean> | undefined;
  const changed = await askDuring(
    pool,
    async (session) => {
      await session.query('SELECT FROM accounts WHERE id = $1 FOR SHARE', [accountId]);
      changing = set([], [{ type: 'crypto_out', active: false }], { kycStatus: 'approved' });
      await first.until('the change waits', async () => (await countLockWaits(pool)) > 0 || null);
      await session.query('SELECT money_out_block_reason($1, NULL, NULL, true, $2)', [accountId, new Date(now)]);
    },
    async () => changing,
  );
  expect(changed).toBe(true);
});

test('what another session writes about an account keeps nobody from suspending it, or turning off its operations', async () => {
  const done: unknown[] = [];
  await askDuring(
    first.deps.db.pool,
    async (session) => {
      await session.query('INSERT INTO withdrawal_thresholds (account_id, kind) VALUES ($1, $2)', [
        accountId,
        'payees',
      ]);
      done.push(await set([], [{ type: 'crypto_out', active: false }]));
      done.push(await suspendAccount(operator(), { accountId, reason: 'Suspeita de fraude' }));
    },
    async () => undefined,
  );
  expect(done).toEqual([true, true]);
});

test('of a minimum and a maximum that two operators set at one instant, one is rejected where together they leave no amount', async () => {
  const { pool } = first.deps.db;
  const other = await pool.connect();
  await other.query('BEGIN');
  await other.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [accountId]);
  const outcomes = Promise.allSettled([
    change({ limits: { minimal_value_out_pix: 11_00n } }),
    set([{ name: 'maximal_value_out_pix', centavos: 10_00n }]),
  ]);
  await first.until('both wait for the account', async () => (await countLockWaits(pool)) >= 2 || null);
  await other.query('COMMIT');
  other.release();
  expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await listTerms(first.deps, accountId)).toHaveLength(1);
});
