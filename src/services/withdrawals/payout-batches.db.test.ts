import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { addMember, addMemberOf } from '#db/testing/add-member.ts';
import { withChangeBefore } from '#db/testing/with-change-before.ts';
import { listBatchRows, runBatchRow } from '#db/withdrawals/payout-batches.ts';
import type { LimitName } from '#domain/accounts/limits.ts';
import type { Role } from '#domain/members/roles.ts';
import { NO_MERCHANT_FIELDS } from '#domain/transactions/merchant-fields.ts';
import { dayStart } from '#domain/values/business-day.ts';
import { uuidToTxid, uuidv7 } from '#domain/values/uuid.ts';
import { APPROVE_WITHIN_MS } from '#domain/withdrawals/approvals.ts';
import { balanceOf } from '#testing/balance-of.ts';
import { mailsTo } from '#testing/mails.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { openMember } from '#testing/panel-browser.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { bookSentPayment } from '../unmatched/book-sent-payment.ts';
import { listAllForeignPayouts } from '../unmatched/decide-foreign-payout.ts';
import { newPixWithdrawal, pixWithdrawalTerms } from './new-pix-withdrawal.ts';
import { runPayoutBatch } from './run-payout-batch.ts';
import { payoutAttempts } from './testing/payout-attempts.ts';
import { limitPeriods } from './withdrawal-terms.ts';

/** Batches of PIX withdrawals, from the file in the panel to the end of every row. */

const HEAD = 'valor;chave;tipo_chave;descricao';
const AT_ONCE = 4;
const DAY_MS = 86_400_000;
/** The time in which the sandbox brings a sent payout to its end. */
const SETTLED_MS = 2_000;

let now = new Date('2026-11-23T15:00:00.000Z');
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => now });
});
afterAll(async () => {
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
  await trilho.stop();
});

/** An account with R$ 100, an owner and a member of finance. */
async function merchant(input: Parameters<TestService['openAccount']>[0] = {}) {
  const { apiKey, accountId, merchantId } = await trilho.openAccount(input);
  const { pool } = trilho.deps.db;
  await makePaidCharge(trilho, apiKey, { amount: 100 });
  const member = async (role: Role) => {
    const memberId = uuidv7(now);
    const email = `${role}.${accountId}@example.com`;
    await addMember(pool, { id: memberId, merchantId, email, role, name: `Pessoa ${role}` });
    return panelCaller(trilho.deps, accountId, { memberId, email, role });
  };
  const [owner, finance, support] = [await member('owner'), await member('finance'), await member('support')];
  const threshold = (kind: 'approval' | 'payees', centavos: number) =>
    pool.query(
      `INSERT INTO withdrawal_thresholds (account_id, kind, centavos) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, kind) DO UPDATE SET centavos = excluded.centavos`,
      [accountId, kind, centavos],
    );
  const limit = (name: LimitName, centavos: number) =>
    pool.query(
      `INSERT INTO account_limits (account_id, name, centavos) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, name) DO UPDATE SET centavos = excluded.centavos`,
      [accountId, name, centavos],
    );
  const get = (batch_id: string) => owner.batches.get({ batch_id });
  return {
    ...{ accountId, owner, finance, support, threshold, limit, get },
    balance: () => balanceOf(trilho, apiKey),
    /** Waits until no row is under way. */
    ended: (batchId: string) =>
      trilho.until('every row of the batch has ended', async () => {
        now = new Date(now.getTime() + SETTLED_MS);
        const batch = await get(batchId);
        return batch.state === 'done' && batch.sums.open.count === 0 ? batch : null;
      }),
    /** How often the PSP has paid each of the account's withdrawals. */
    sent: () => payoutAttempts(pool, accountId),
    async audits() {
      const { rows } = await pool.query<{ action: string }>(
        `SELECT action FROM audit_records WHERE account_id = $1 AND action LIKE 'withdrawal.batch%' ORDER BY id`,
        [accountId],
      );
      return rows.map(({ action }) => action);
    },
  };
}

/** A file of rows of these amounts, each to a key of its own. */
const fileOf = (...amounts: number[]) =>
  [HEAD, ...amounts.map((amount, at) => `${String(amount).replace('.', ',')};p${at}@example.com;EMAIL;`)].join('\n');

const rejection = (code: string) => ({ cause: { code } });

async function stored(): Promise<unknown> {
  const { rows } = await trilho.deps.db.pool.query(
    'SELECT (SELECT count(*) FROM payout_batches) AS batches, (SELECT count(*) FROM payout_batch_rows) AS rows',
  );
  return rows[0];
}

test('a batch with one rejected row stores nothing and shows its issues, and without that row every row is sent once', async () => {
  const one = await merchant({ fees: [{ type: 'pix_out', fee: { bps: 0, fixedCentavos: 50n } }] });
  const rejected = `${fileOf(10, 20)}\n5;não é chave;EMAIL;`;
  const before = await stored();
  expect(await one.owner.batches.preview({ file: rejected })).toMatchObject({
    issues: [{ line: 4, column: 'chave', issue: 'not_pix_key', params: { type: 'EMAIL' } }],
    batch_id: null,
  });
  await expect(one.owner.batches.make({ file: rejected })).rejects.toMatchObject(rejection('invalid_input'));
  expect(await stored()).toEqual(before);
  await expect(one.support.batches.make({ file: fileOf(1) })).rejects.toMatchObject({ code: 'NOT_FOUND' });

  const file = fileOf(10, 20);
  expect(await one.owner.batches.preview({ file })).toMatchObject({
    ...{ issues: [], count: 2, amount: 30, fees: 1, total: 31, available: 100, needs_approval: false, batch_id: null },
  });
  const { batch_id: id } = await one.owner.batches.make({ file });
  const ended = await one.ended(id);
  expect(ended.sums).toEqual({
    ...{ sent: { count: 2, amount: 30 }, failed: { count: 0, amount: 0 }, open: { count: 0, amount: 0 } },
  });
  expect(ended.rows).toMatchObject([
    { number: 1, amount: 10, pix_key: 'p0@example.com', failure: null, transaction: { status: 'paid' } },
    { number: 2, amount: 20, pix_key: 'p1@example.com', failure: null, transaction: { status: 'paid' } },
  ]);
  expect([await one.sent(), await one.balance()]).toEqual([[1, 1], { available: 69, blocked: 0 }]);
  expect(await one.audits()).toEqual(['withdrawal.batch_made']);
});

test('a row with a reference becomes a withdrawal that the list finds by it', async () => {
  const one = await merchant();
  const { batch_id: id } = await one.owner.batches.make({
    file: `${HEAD};referencia\n5;p0@example.com;EMAIL;;nota-77`,
  });
  const [row] = (await one.ended(id)).rows;
  expect(row).toMatchObject({ reference: 'nota-77', transaction: { status: 'paid' } });
  const { data } = await one.owner.transactions.list({ reference: 'nota-77' });
  expect(data).toMatchObject([{ transaction_id: row?.transaction?.transaction_id, reference: 'nota-77' }]);
});

test('a row outside the account’s range for one withdrawal is an issue before anything is stored', async () => {
  const one = await merchant({
    limits: [
      { name: 'minimal_value_out_pix', centavos: 2_00n },
      { name: 'maximal_value_out_pix', centavos: 50_00n },
    ],
  });
  const file = `${fileOf(1, 2, 50, 50.01, 2_000_000)}\nx;p@example.com;EMAIL;`;
  const before = await stored();
  const above = { column: 'valor', issue: 'above_maximum', params: { maximum: 'R$ 50,00' } };
  expect(await one.owner.batches.preview({ file })).toMatchObject({
    issues: [
      { line: 2, column: 'valor', issue: 'below_minimum', params: { minimum: 'R$ 2,00' } },
      ...[
        { line: 5, ...above },
        { line: 6, ...above },
      ],
      { line: 7, column: 'valor', issue: 'not_amount' },
    ],
    ...{ count: 2, amount: 52 },
  });
  await expect(one.owner.batches.make({ file: fileOf(2, 50.01) })).rejects.toMatchObject(rejection('invalid_input'));
  expect(await stored()).toEqual(before);

  // A batch that exists is returned also when the limits have changed since.
  const { batch_id: id } = await one.owner.batches.make({ file: fileOf(2, 50) });
  await one.limit('maximal_value_out_pix', 10_00);
  expect(await one.owner.batches.preview({ file: fileOf(2, 50) })).toMatchObject({ issues: [], batch_id: id });
  expect(await one.owner.batches.make({ file: fileOf(2, 50) })).toEqual({ batch_id: id, is_new: false });
});

test('a row above what the service takes from any account names that maximum', async () => {
  const one = await merchant();
  expect(await one.owner.batches.preview({ file: fileOf(1_000_000.01) })).toMatchObject({
    issues: [{ line: 2, column: 'valor', issue: 'above_maximum', params: { maximum: 'R$ 1.000.000,00' } }],
  });
});

test('the same rows again, at once or later and in any order, are the existing batch, and in another account a new one', async () => {
  const [one, other] = [await merchant(), await merchant()];
  const file = fileOf(1, 2);
  const again = [HEAD, '2,00;P1@example.com;email;', '1;p0@example.com;EMAIL;'].join('\r\n').replaceAll(';', ',');
  const made = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) => (at % 2 ? one.finance : one.owner).batches.make({ file })),
  );
  const [id = ''] = new Set(made.map(({ batch_id }) => batch_id));
  expect(made.filter(({ is_new }) => is_new)).toEqual([{ batch_id: id, is_new: true }]);
  expect(await one.finance.batches.make({ file: again.replace('2,00', '2') })).toEqual({ batch_id: id, is_new: false });
  expect(await one.finance.batches.preview({ file })).toMatchObject({ batch_id: id });
  await one.ended(id);
  expect([await one.sent(), await one.balance()]).toEqual([[1, 1], { available: 97, blocked: 0 }]);
  expect(await one.audits()).toEqual(['withdrawal.batch_made']);
  expect((await one.owner.batches.list({})).batches).toMatchObject([{ batch_id: id, state: 'done', count: 2 }]);

  await expect(other.owner.batches.get({ batch_id: id })).rejects.toMatchObject(rejection('batch_not_found'));
  await expect(other.owner.batches.approve({ batch_id: id })).rejects.toMatchObject(rejection('batch_not_found'));
  expect(await other.owner.batches.make({ file })).toMatchObject({ is_new: true });
});

test('a file of which another program wrote the accents in another form is the existing batch', async () => {
  const one = await merchant();
  const file = `${HEAD}\n1;p0@example.com;EMAIL;Salário de março`.normalize('NFC');
  const { batch_id } = await one.owner.batches.make({ file });
  const again = file.normalize('NFD');
  expect(again).not.toBe(file);
  expect(await one.finance.batches.preview({ file: again })).toMatchObject({ batch_id });
  expect(await one.finance.batches.make({ file: again })).toEqual({ batch_id, is_new: false });
});

test('the same rows at the moment in which their batch is declined are a new batch', async () => {
  const one = await merchant();
  await one.threshold('approval', 1_00);
  const file = fileOf(2);
  const { batch_id: id } = await one.owner.batches.make({ file });
  const { pool } = trilho.deps.db;
  const decline = () => one.finance.batches.decline({ batch_id: id });
  let calls = 0;
  const query = async (...[statement, ...values]: Parameters<typeof pool.query>) => {
    const found = await pool.query(statement, ...values);
    // After the statement has found the batch, and before its id is read.
    if (JSON.stringify(statement).includes('payout_batch_make') && ++calls === 1) await decline();
    return found;
  };
  const between = Object.assign(Object.create(pool), { query });
  const deps = { ...trilho.deps, db: { ...trilho.deps.db, pool: between } };
  const memberId = await addMemberOf(pool, one.accountId);
  const late = await panelCaller(deps, one.accountId, { memberId });
  const made = await late.batches.make({ file });
  expect(made).toMatchObject({ is_new: true });
  expect([(await one.get(id)).state, (await one.get(made.batch_id)).state]).toEqual(['declined', 'pending_approval']);
});

test.each([
  ['list-batch-rows', { state: 'done', sums: { sent: { count: 1 } } }],
  ['find-batch', { state: 'running', sums: { sent: { count: 0 } } }],
])('a batch that is approved and sent before %s is read is not shown as one that waits', async (statement, shown) => {
  const one = await merchant();
  await one.threshold('approval', 1_00);
  const { batch_id } = await one.owner.batches.make({ file: fileOf(2) });
  const { deps } = trilho;
  const pool = withChangeBefore(deps.db.pool, statement, async () => {
    await one.finance.batches.approve({ batch_id });
    await one.ended(batch_id);
  });
  const reader = await panelCaller({ ...deps, db: { ...deps.db, pool } }, one.accountId);
  expect(await reader.batches.get({ batch_id })).toMatchObject(shown);
});

test('rows that are rejected have their error, and the others are sent', async () => {
  const one = await merchant();
  // The limits that the sum passes are said before: by day that of the night counts nothing.
  await one.limit('daily_limit_out_pix', 60_00);
  await one.limit('night_limit_out_pix', 10_00);
  const passed = async (file: string) => (await one.owner.batches.preview({ file })).passed_limits;
  expect(await passed(fileOf(45, 15))).toEqual([]);
  const dayEnds = new Date(dayStart(now).getTime() + DAY_MS).toISOString();
  expect(await passed(fileOf(45, 15.01))).toEqual([{ name: 'daily', left: 60, ends_at: dayEnds }]);
  await one.limit('daily_limit_out_pix', 1_000_00);
  await one.limit('night_limit_out_pix', 1_000_00);
  await one.threshold('payees', 50_00);
  await one.threshold('approval', 100_00);
  const { batch_id: id } = await one.owner.batches.make({ file: fileOf(45, 51, 1, 48, 50, 7) });
  // A limit of after the preview rejects the row when it is run.
  await one.limit('minimal_value_out_pix', 2_00);
  await one.finance.batches.approve({ batch_id: id });
  const ended = await one.ended(id);
  expect(ended.rows.map(({ failure, transaction }) => failure ?? transaction?.status)).toEqual([
    ...['paid', 'not_a_payee', 'below_minimum', 'paid', 'insufficient_funds', 'paid'],
  ]);
  expect(ended.sums).toMatchObject({ sent: { count: 3, amount: 100 }, failed: { count: 3, amount: 102 } });
  expect(await one.balance()).toEqual({ available: 0, blocked: 0 });
});

test('a batch of which every row failed can be made again, once, and one of which a row was sent can’t', async () => {
  const one = await merchant();
  await one.threshold('payees', 0);
  const file = fileOf(30, 40);
  const { batch_id: id } = await one.owner.batches.make({ file });
  expect((await one.ended(id)).rows.map(({ failure }) => failure)).toEqual(['not_a_payee', 'not_a_payee']);
  await one.threshold('payees', 35_00);
  expect(await one.owner.batches.preview({ file })).toMatchObject({ batch_id: null });
  const again = await Promise.all(Array.from({ length: AT_ONCE }, () => one.owner.batches.make({ file })));
  expect(again.filter(({ is_new }) => is_new)).toHaveLength(1);
  const [second = ''] = new Set(again.map(({ batch_id }) => batch_id));
  expect((await one.ended(second)).sums).toMatchObject({ sent: { count: 1 }, failed: { count: 1 } });
  expect(await one.get(id)).toMatchObject({ state: 'done', sums: { failed: { count: 2 } } });
  expect(await one.owner.batches.preview({ file })).toMatchObject({ batch_id: second });
  expect(await one.owner.batches.make({ file })).toEqual({ batch_id: second, is_new: false });
  expect([await one.sent(), await one.balance()]).toEqual([[1], { available: 70, blocked: 0 }]);

  // A payout that failed at the PSP has sent nothing either.
  await trilho.setSwitch('pix.payout', 'rejected');
  const { batch_id: refused } = await one.owner.batches.make({ file: fileOf(20) });
  expect((await one.ended(refused)).sums).toMatchObject({ failed: { count: 1 } });
  await trilho.setSwitch('pix.payout', 'done');
  expect(await one.owner.batches.make({ file: fileOf(20) })).toMatchObject({ is_new: true });
});

test('a batch above the threshold waits for another member, is sent once approved, can be made again after it ended unsent, and runs no row with another amount', async () => {
  const one = await merchant();
  await one.threshold('approval', 50_00);
  // No row of the first batch is above the threshold, and one of the second is.
  const { batch_id: split } = await one.owner.batches.make({ file: fileOf(30, 21) });
  const { batch_id: id } = await one.owner.batches.make({ file: fileOf(60, 5) });
  for (const batch of [split, id]) expect(await runPayoutBatch(trilho.deps, batch)).toBeNull();
  expect(await one.get(split)).toMatchObject({ state: 'pending_approval', own: true, sums: { open: { count: 2 } } });
  expect(await one.balance()).toEqual({ available: 100, blocked: 0 });
  await expect(one.owner.batches.approve({ batch_id: id })).rejects.toMatchObject(rejection('approval_own'));
  await expect(one.support.batches.approve({ batch_id: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await one.owner.batches.decline({ batch_id: split });
  await one.finance.batches.approve({ batch_id: id });
  await expect(one.finance.batches.approve({ batch_id: id })).rejects.toMatchObject(rejection('approval_decided'));
  await expect(one.finance.batches.approve({ batch_id: split })).rejects.toMatchObject(rejection('approval_decided'));
  const ended = await one.ended(id);
  expect(ended).toMatchObject({ decided_by: 'Pessoa finance', sums: { sent: { count: 2, amount: 65 } } });
  expect(await one.get(split)).toMatchObject({
    state: 'declined',
    rows: [{ transaction: null }, { transaction: null }],
  });
  expect([await one.sent(), await one.balance()]).toEqual([[1, 1], { available: 35, blocked: 0 }]);
  expect(await one.audits()).toEqual([
    ...['withdrawal.batch_made', 'withdrawal.batch_made', 'withdrawal.batch_declined', 'withdrawal.batch_approved'],
  ]);

  // After a week the batch can't be approved any more.
  const { batch_id: late } = await one.owner.batches.make({ file: fileOf(51) });
  const awaited = async () => (await one.finance.overview.get({ period: '7d' })).attention.awaited_batches;
  expect(await awaited()).toMatchObject({ count: 1, amount: 51, oldest_batch_id: late });
  now = new Date(now.getTime() + 7 * DAY_MS - 1);
  expect(await awaited()).toMatchObject({ count: 1 });
  now = new Date(now.getTime() + 1);
  expect([await one.get(late), await awaited()]).toMatchObject([{ state: 'expired' }, null]);
  await expect(one.finance.batches.approve({ batch_id: late })).rejects.toMatchObject(rejection('approval_decided'));

  // Nothing of either was sent: the same files may be sent again, each once.
  for (const [ended, file, state] of [
    [split, fileOf(30, 21), 'declined'],
    [late, fileOf(51), 'expired'],
  ] as const) {
    expect(await one.owner.batches.preview({ file })).toMatchObject({ batch_id: null });
    const again = await Promise.all(Array.from({ length: AT_ONCE }, () => one.owner.batches.make({ file })));
    expect(again.filter(({ is_new }) => is_new)).toHaveLength(1);
    expect(new Set(again.map(({ batch_id }) => batch_id)).size).toBe(1);
    expect(await one.get(ended)).toMatchObject({ state });
    await one.finance.batches.decline({ batch_id: again[0]?.batch_id ?? '' });
  }

  // An approved row can't be run with another amount.
  const { batch_id: other } = await one.owner.batches.make({ file: fileOf(52) });
  await one.threshold('approval', 10_00);
  await trilho.deps.db.pool.query(
    `UPDATE payout_batches SET status = 'running', decided_by_id = id, decided_at = made_at WHERE id = $1`,
    [other],
  );
  const [row] = await listBatchRows(trilho.deps.db.pool, other);
  const withdrawal = await planned(one.accountId, row?.withdrawalId ?? '', 33_00n);
  await expect(runBatchRow(trilho.deps.db.pool, { ...withdrawal, batchId: other, number: 1 })).rejects.toThrow(
    'another withdrawal',
  );
});

test('a file whose batch ended unapproved in a restored database is paid under the ids that it had, whatever the order of its rows, and not twice', async () => {
  const one = await merchant();
  await one.threshold('approval', 10_00);
  const rows = fileOf(20, 30).split('\n');
  const { batch_id: late } = await one.owner.batches.make({ file: rows.join('\n') });
  // The database that was lost had it approved, and sent its first row.
  const [first] = await listBatchRows(trilho.deps.db.pool, late);
  const payoutId = uuidToTxid(first?.withdrawalId ?? '');
  const psp = (await trilho.deps.rails.pixNamed('sandbox'))?.payouts;
  const sent = await psp?.sendPayout({
    ...{ payoutId, amountCentavos: 2_000n, pixKey: 'p0@example.com', description: null },
  });
  await trilho.deps.db.pool.query('UPDATE payout_batches SET decide_until = $2 WHERE id = $1', [late, now]);
  const listed = await trilho.until('it is paid', async () => {
    now = new Date(now.getTime() + SETTLED_MS);
    const found = await psp?.findPayout(payoutId);
    return found?.outcome === 'done' && found.value?.status === 'completed' ? found.value : null;
  });
  expect(sent?.outcome).toBe('done');
  const payment = { payoutId, amountCentavos: 2_000n, endToEndId: listed.endToEndId ?? '', sentAt: now, returns: [] };
  expect(await bookSentPayment(trilho.deps, 'sandbox', { ...payment, status: 'completed' })).toBe('foreign_payout');

  const { batch_id, is_new } = await one.owner.batches.make({ file: [rows[0], rows[2], rows[1]].join('\n') });
  expect(is_new).toBe(true);
  await one.finance.batches.approve({ batch_id });
  expect(await one.ended(batch_id)).toMatchObject({ sums: { sent: { count: 2, amount: 50 } } });
  expect(await one.balance()).toEqual({ available: 50, blocked: 0 });
  expect(await one.sent()).toHaveLength(2);
  const all = await trilho.deps.db.pool.query('SELECT FROM sandbox.payouts WHERE id_envio = $1', [payoutId]);
  expect(all.rowCount).toBe(1);
  expect(await listAllForeignPayouts(trilho.deps, { waiting: true, accountId: null })).toEqual([]);
});

test('members who may approve a batch of a live account get a notice and a mail, except the one who made it', async () => {
  const one = await merchant({ mode: 'live', kycStatus: 'approved' });
  await one.threshold('approval', 50_00);
  const { batch_id: id } = await one.owner.batches.make({ file: fileOf(30, 21) });
  const [mail] = await trilho.until('a mail', async () => {
    const found = mailsTo(trilho, `finance.${one.accountId}@example.com`);
    return found.length > 0 ? found : null;
  });
  expect(mail).toMatch(/Lote de R\$.51,00 espera aprova/);
  expect(mail).toContain(`/live/lotes/${id}`);
  expect([
    ...mailsTo(trilho, `owner.${one.accountId}@example.com`),
    ...mailsTo(trilho, `support.${one.accountId}@example.com`),
  ]).toEqual([]);
  const noticesOf = async (member: typeof one.owner) => (await member.notices.list({ language: 'pt-BR' })).notices;
  expect(await noticesOf(one.finance)).toMatchObject([
    { text: expect.stringMatching(/^Lote de/), page: `/lotes/${id}` },
  ]);
  expect([...(await noticesOf(one.owner)), ...(await noticesOf(one.support))]).toEqual([]);
});

test('a batch that was killed between two rows, or runs in several processes, sends each row once', async () => {
  const one = await merchant();
  await one.threshold('approval', 4_00);
  const { batch_id: id } = await one.owner.batches.make({ file: fileOf(1, 2, 3) });
  const { pool } = trilho.deps.db;
  // The state that a worker leaves which dies after the first row: only its statement has
  // committed.
  await pool.query(
    `UPDATE payout_batches SET status = 'running', decided_by_id = id, decided_at = made_at WHERE id = $1`,
    [id],
  );
  const [first] = await listBatchRows(pool, id);
  const row = { ...(await planned(one.accountId, first?.withdrawalId ?? '', 1_00n)), batchId: id, number: 1 };
  expect(await runBatchRow(pool, row)).toBe('requested');
  expect(await runBatchRow(pool, row)).toBe('done');
  expect((await one.get(id)).state).toBe('running');
  await Promise.all(Array.from({ length: AT_ONCE }, () => runPayoutBatch(trilho.deps, id)));
  const ended = await one.ended(id);
  expect(ended.rows.map(({ transaction }) => transaction?.status)).toEqual(['paid', 'paid', 'paid']);
  expect([await one.sent(), await one.balance()]).toEqual([[1, 1, 1], { available: 94, blocked: 0 }]);
});

test('a file of 1,000 rows, larger than other calls may be, is accepted', async () => {
  const { browser } = await openMember(trilho, 'lote@example.com');
  const file = [HEAD, ...Array.from({ length: 1_000 }, (_, at) => `1;p${at}@example.com;EMAIL;${'á'.repeat(70)}`)];
  const answer = await browser.post('/api/trpc/test/batches.preview', { file: file.join('\n') });
  expect([answer.status, JSON.parse(answer.text).result.data]).toMatchObject([200, { issues: [], count: 1_000 }]);
});

/** The input with which the worker runs a row. */
async function planned(accountId: string, id: string, amountCentavos: bigint) {
  const { rail, feeCentavos, now: at } = await pixWithdrawalTerms(trilho.deps, accountId, amountCentavos);
  const key = { pixKey: 'p0@example.com', pixKeyType: 'email' as const };
  const input = { id, amountCentavos, ...key, description: null, merchantFields: NO_MERCHANT_FIELDS };
  const withdrawal = newPixWithdrawal(trilho.deps, input, { accountId, rail: rail.name, feeCentavos, now: at });
  return { withdrawal, periods: limitPeriods(at), approveUntil: new Date(at.getTime() + APPROVE_WITHIN_MS) };
}

// The last ones: sessions don't outlive these days.
test.each([
  ['under the ids that it had', 29, 6],
  ['under new ids', 45, 0],
])(
  'a file that is made again after its batch was declined, and is sent %s, is found by a list of the days on which it is sent',
  async (_, days, waits) => {
    const one = await merchant();
    await one.threshold('approval', 10_00);
    const file = fileOf(20, 30);
    const { batch_id: declined } = await one.owner.batches.make({ file });
    const idsOf = async (id: string) =>
      (await listBatchRows(trilho.deps.db.pool, id)).map(({ withdrawalId }) => withdrawalId);
    const before = await idsOf(declined);
    await one.finance.batches.decline({ batch_id: declined });
    now = new Date(now.getTime() + days * DAY_MS);
    const { batch_id } = await one.owner.batches.make({ file });
    expect((await idsOf(batch_id)).filter((id) => before.includes(id))).toHaveLength(days > 30 ? 0 : 2);
    now = new Date(now.getTime() + waits * DAY_MS);
    const from = now.toISOString();
    await one.finance.batches.approve({ batch_id });
    await one.ended(batch_id);
    const { data } = await one.owner.transactions.list({ from, type: 'pix_out' });
    expect(data.map(({ amount }) => amount).sort()).toEqual([20, 30]);
  },
);
