import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#db/connection/database.ts';
import { saveLedgerCheck } from '#db/ledger/ledger-check-results.ts';
import { fund } from '#db/testing/ledger-fixture.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import { drainDueTasks } from '#jobs/worker.ts';
import { receiveCallback } from '#services/callbacks/receive-callback.ts';
import type { Deps } from '#services/deps.ts';
import { enterDispute } from '#services/disputes/manage-disputes.ts';
import { SHOWN_MAX } from '#services/shown-max.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import { putReconciledDays } from '#testing/put-reconciled-days.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { operatorRouter } from './operator-router.ts';

let trilho: TestService;
beforeAll(async () => {
  // Without a worker, and with a PSP that does not answer: the test runs the tasks itself.
  trilho = await startTestService({ variables: { ROLE: 'web', SANDBOX_URL: 'http://127.0.0.1:1' } });
});
afterAll(() => trilho.stop());

const HOUR_MS = 60 * 60_000;
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

const asOperator = (confirmedAt = trilho.deps.clock()) => {
  const { deps } = trilho;
  return operatorRouter.createCaller({
    deps,
    operator: {
      operatorId: uuidv7(confirmedAt),
      sessionId: uuidv7(confirmedAt),
      name: 'Ana',
      email: 'ana@x.example',
      confirmedAt,
    },
    origin: { ipAddress: '127.0.0.1', userAgent: 'vitest' },
    confirm: async () => {},
    endSession: async () => {},
  });
};
const drain = (deps: Partial<Deps> = {}) => drainDueTasks({ ...trilho.deps, ...deps }, TASK_HANDLERS);
const audited = async (action: string) => {
  const { rows } = await trilho.deps.db.pool.query<{ details: object }>(
    'SELECT details FROM audit_records WHERE action = $1 ORDER BY id',
    [action],
  );
  return rows.map(({ details }) => details);
};

type Procedure = { _def: { type: string } };

test('no procedure runs without an operator, and none that changes something without a fresh code', async () => {
  // By their paths; tRPC's types have them in groups.
  const procedures = Object.entries(operatorRouter._def.procedures as object as Record<string, Procedure>);
  const changes = procedures.filter(([, { _def }]) => _def.type === 'mutation').map(([path]) => path);
  expect(changes).toEqual(expect.arrayContaining(['queue.retryCallback', 'queue.runTask', 'mail.resend']));
  const reasonsOf = (caller: unknown, paths: readonly string[]) =>
    Promise.all(
      paths.map(async (path) => {
        const [router = '', name = ''] = path.split('.');
        const call = (caller as Record<string, Record<string, (input: object) => Promise<unknown>>>)[router]?.[name];
        const error = await call?.({}).catch((thrown: unknown) => thrown);
        return `${path}: ${(error as { cause?: { code?: string } }).cause?.code}`;
      }),
    );
  const stranger = operatorRouter.createCaller({
    ...{ deps: trilho.deps, operator: null, origin: { ipAddress: '127.0.0.1', userAgent: 'vitest' } },
    ...{ confirm: async () => {}, endSession: async () => {} },
  });
  const all = procedures.map(([path]) => path);
  expect(await reasonsOf(stranger, all)).toEqual(all.map((path) => `${path}: not_signed_in`));
  // Signing out and the code itself need none.
  const confirmed = changes.filter((path) => !path.startsWith('session.'));
  const stale = asOperator(new Date(trilho.deps.clock().getTime() - HOUR_MS));
  expect(await reasonsOf(stale, confirmed)).toEqual(confirmed.map((path) => `${path}: confirmation_required`));
});

test('a callback that failed is shown with its error, and retried once however often an operator asks', async () => {
  await receiveCallback(trilho.deps, { rail: 'sandbox', body: `{"pix":[{"endToEndId":"E${'1'.repeat(31)}"}]}` });
  await drain();
  const waiting = () => asOperator().queue.callbacks({ state: 'waiting' });
  const [failed] = (await waiting()).callbacks;
  expect(failed).toMatchObject({ rail: 'sandbox', outcome: null, task: { attempts: 1, error: expect.any(String) } });
  const callback_id = failed?.callback_id ?? '';
  expect((await asOperator().queue.tasks({})).tasks).toMatchObject([
    { kind: 'process_callback', subject_id: callback_id, attempts: 1, error: failed?.task?.error },
  ]);
  // A second later it is tried by itself.
  expect(await asOperator().queue.retryCallback({ callback_id })).toEqual({ outcome: 'due' });
  await trilho.deps.db.pool.query(`UPDATE tasks SET due_at = due_at + interval '1 hour'`);
  expect(await asOperator().queue.retryCallback({ callback_id })).toEqual({ outcome: 'queued' });
  expect(await asOperator().queue.retryCallback({ callback_id })).toEqual({ outcome: 'due' });

  // The rail is gone, so that nothing in it can be read.
  await drain({ rails: { ...trilho.deps.rails, pixNamed: async () => null } });
  expect((await waiting()).callbacks).toEqual([]);
  const unmatched = await asOperator().queue.callbacks({ state: 'unmatched' });
  expect(unmatched.callbacks).toMatchObject([{ callback_id, outcome: 'unreadable', task: null }]);
  expect(await asOperator().queue.retryCallback({ callback_id })).toEqual({ outcome: 'queued' });
  expect((await waiting()).callbacks).toMatchObject([{ callback_id, outcome: 'unreadable', task: { error: null } }]);
  const noted = { subject: callback_id, operator: 'ana@x.example' };
  expect(await audited('callback.retried')).toEqual([noted, noted]);
  await expect(asOperator().queue.retryCallback({ callback_id: UNKNOWN_ID })).rejects.toThrow('not_found');
});

test('the overview counts more verifications than a page lists', async () => {
  const { merchantId } = await trilho.openAccount();
  await trilho.asOwner(`INSERT INTO kyc_submissions (id, merchant_id, kind, sealed, decision, submitted_at)
    SELECT gen_random_uuid(), '${merchantId}', 'person', '', 'submitted', now() FROM generate_series(0, ${SHOWN_MAX})`);
  const { verifications } = await asOperator().verifications.list({ waiting: true });
  expect([verifications.length, (await asOperator().overview.get()).verifications]).toEqual([SHOWN_MAX, SHOWN_MAX + 1]);
  await trilho.asOwner(`DELETE FROM kyc_submissions WHERE merchant_id = '${merchantId}'`);
});

test('a failed task and a payout without an answer can be run now, and no other task', async () => {
  const { accountId, apiKey } = await trilho.openAccount({ name: 'Loja Azul' });
  await fund(trilho.deps.db.pool, { id: accountId, mode: 'test' }, 10_000n);
  const answer = await trilho.post('/payments/transfers/pix', apiKey, {
    ...{ amount: 60, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' },
  });
  const id = transactionIdOf(answer);
  const sentAt = trilho.deps.clock();
  await trilho.asOwner(
    `UPDATE transactions SET payout_step = 'unknown', payout_sent_at = '${sentAt.toISOString()}' WHERE id = '${id}'`,
  );
  await drain();
  const [payout] = (await asOperator().transactions.payouts()).payouts;
  expect(payout).toMatchObject({
    ...{ transaction_id: id, account_id: accountId, merchant_name: 'Loja Azul', step: 'unknown', amount: 60 },
    ...{ attempts: 1, error: expect.any(String), since: sentAt.toISOString() },
  });
  expect(Date.parse(payout?.lost_at ?? '')).toBeGreaterThan(sentAt.getTime());
  expect((await asOperator().overview.get()).payouts).toBe(1);

  const task = { kind: 'payout', subject_id: id };
  expect((await asOperator().queue.tasks({ kind: 'payout' })).tasks).toMatchObject([task]);
  expect(await asOperator().queue.runTask(task)).toEqual({ outcome: 'due' });
  await trilho.deps.db.pool.query(`UPDATE tasks SET due_at = due_at + interval '1 hour', last_error = NULL`);
  expect(await asOperator().queue.runTask(task)).toEqual({ outcome: 'queued' });
  expect(await audited('task.run')).toEqual([{ subject: `payout ${id}`, operator: 'ana@x.example' }]);
  // Of other kinds only a failed task can be run: a reminder or the end of an approval trusts its
  // time.
  const planned = { kind: 'expire_approval' as const, subjectId: id, dueAt: new Date(Date.now() + HOUR_MS) };
  await trilho.deps.db.pool.query('INSERT INTO tasks (kind, subject_id, due_at) VALUES ($1, $2, $3)', [
    ...[planned.kind, planned.subjectId, planned.dueAt],
  ]);
  await expect(asOperator().queue.runTask({ kind: 'expire_approval', subject_id: id })).rejects.toThrow('not_found');
  await expect(asOperator().queue.runTask({ kind: 'no_such_task', subject_id: id })).rejects.toThrow('not_found');
});

test('transactions of every account are listed, filtered and found by their ids, each with its account', async () => {
  const { pool } = trilho.deps.db;
  const one = await trilho.openAccount({ name: 'Loja Verde' });
  const other = await trilho.openAccount({ name: 'Loja Branca' });
  const charge = await fund(pool, { id: one.accountId, mode: 'test' }, 1_234n);
  await fund(pool, { id: other.accountId, mode: 'test' }, 5_678n);
  const list = async (input: object = {}) => {
    const { transactions, next_cursor: next } = await asOperator().transactions.list(input);
    return { names: transactions.map(({ merchant_name: name }) => name), transactions, next };
  };
  expect((await list()).names).toEqual(expect.arrayContaining(['Loja Azul', 'Loja Branca', 'Loja Verde']));
  const [first, ...others] = (await list()).names;
  const page = await list({ limit: 1 });
  expect(page.names).toEqual([first]);
  expect((await list({ cursor: page.next, limit: 50 })).names).toEqual(others);
  expect((await list({ account_id: one.accountId })).transactions).toMatchObject([
    { transaction_id: charge.id, amount: 12.34, account_id: one.accountId, merchant_name: 'Loja Verde', mode: 'test' },
  ]);
  expect(new Set((await list({ type: 'pix_out' })).names)).toEqual(new Set(['Loja Azul']));
  expect((await list({ status: 'expired' })).names).toEqual([]);
  expect((await list({ to: '2020-01-01' })).names).toEqual([]);
  const { endToEndId } = (
    await pool.query(`SELECT end_to_end_id AS "endToEndId" FROM transactions WHERE id = $1`, [charge.id])
  ).rows[0];
  for (const text of [charge.id, charge.id.replaceAll('-', ''), charge.id.slice(-8), endToEndId])
    expect([text, (await list({ text })).names]).toEqual([text, ['Loja Verde']]);
  // The other filters hold for what a text finds, too.
  const asked = [{ type: 'pix_out' }, { status: 'expired' }, { to: '2020-01-01' }, { from: '2037-01-01' }];
  for (const filter of asked) expect((await list({ text: endToEndId, ...filter })).names).toEqual([]);
  expect((await list({ text: endToEndId, type: 'pix_in', status: 'paid', from: '2020-01-01' })).names).toHaveLength(1);
  // A name is an account's own affair: it is found within the account.
  expect((await list({ text: 'Maria da Silva' })).names).toEqual([]);

  const { detail, ...whose } = await asOperator().transactions.get({ transaction_id: charge.id });
  expect(whose).toMatchObject({ account_id: one.accountId, merchant_name: 'Loja Verde' });
  expect(detail.ledger).toHaveLength(1);
  await expect(asOperator().transactions.get({ transaction_id: UNKNOWN_ID })).rejects.toThrow('Nenhuma transação');
});

test('accounts are listed after a cursor that is an account, and after nothing else', async () => {
  const { next_cursor: next } = await asOperator().accounts.find({ cursor: UNKNOWN_ID });
  expect(next).toBeNull();
  await expect(asOperator().accounts.find({ cursor: 'the second page' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test('a case that one operator has called lost is not called won by another, who still saw it open', async () => {
  const { accountId } = await trilho.openAccount({ name: 'Loja Roxa' });
  const { id: chargeId } = await fund(trilho.deps.db.pool, { id: accountId, mode: 'test' }, 4_390n);
  const asked = { chargeId, reason: 'fraud', centavos: null, answerBy: null, by: byOperator('ana') } as const;
  expect(await enterDispute(trilho.deps, asked)).toBe('opened');
  const ofCharge = async () =>
    (await asOperator().decisions.disputes()).disputes.find((one) => one.transaction_id === chargeId);
  const { dispute_id = '', ...dispute } = (await ofCharge()) ?? {};
  expect(dispute).toMatchObject({ account_id: accountId, merchant_name: 'Loja Roxa', mode: 'test' });
  await asOperator().decisions.endDispute({ dispute_id, outcome: 'lost' });
  await expect(asOperator().decisions.endDispute({ dispute_id, outcome: 'won' })).rejects.toThrow('invalid_state');
  expect(await ofCharge()).toMatchObject({ state: 'lost', held: 43.9 });
});

test('what differs of a day is acknowledged as it was shown, with who did it in the audit', async () => {
  const { accountId } = await trilho.openAccount();
  await putReconciledDays(trilho, { accountId, days: 3 });
  const { reconciliation } = asOperator();
  const { days } = await reconciliation.list({});
  const { day_id, day, rail, differences } = days.find((one) => one.differences !== null) ?? {};
  const seen = { day_id: day_id ?? '', differences: differences ?? '', reason: 'Tarifa' };
  const code = (input: object) =>
    reconciliation
      .acknowledge({ ...seen, ...input })
      .catch((error: { cause?: { code?: string } }) => error.cause?.code);
  expect(await code({ day_id: UNKNOWN_ID })).toBe('not_found');
  expect(await code({ differences: 'x' })).toBe('invalid_state');
  await expect(reconciliation.acknowledge({ ...seen, reason: ' ' })).rejects.toThrow('reason');
  expect(await audited('reconciliation.acknowledged')).toEqual([]);
  await reconciliation.acknowledge(seen);
  const shown = await reconciliation.get({ day_id: seen.day_id });
  expect(shown.day.acknowledged).toMatchObject({ reason: 'Tarifa' });
  expect(await audited('reconciliation.acknowledged')).toEqual([
    { subject: `${rail} ${day}`, currency: 'BRL', amount: '13.01', reason: 'Tarifa', operator: 'ana@x.example' },
  ]);
});

test('the state of the system has the ledger’s check, the rails, the requests and the queue', async () => {
  const { apiKey } = await trilho.openAccount();
  await trilho.get('/payments/balance', apiKey);
  await trilho.get(`/payments/transactions/${UNKNOWN_ID}`, apiKey);
  const now = trilho.deps.clock();
  const finding = { rule: 'entries sum to zero', detail: 'transfer 7' };
  await saveAsOwner(now, finding);
  const volume = await trilho.until('the requests are recorded', async () => {
    const { volume } = await asOperator().system.get();
    return volume.some(({ family }) => family === 'transactions') ? volume : null;
  });
  expect(volume).toEqual(
    expect.arrayContaining([expect.objectContaining({ family: 'balance', requests: 1, failed: 0 })]),
  );
  expect(volume.find(({ family }) => family === 'transactions')?.rejected).toBe(1);
  const { checks, providers, proof } = await asOperator().system.get();
  expect(checks).toMatchObject([
    { kind: 'full', discrepancies: 1, first_finding: 'entries sum to zero: transfer 7', checked_at: now.toISOString() },
  ]);
  expect(providers.map(({ name, kind }) => [name, kind])).toEqual([
    ['sandbox', 'pix'],
    ['sandbox-crypto', 'crypto'],
  ]);
  expect(proof.head).toBeNull();
  expect((await asOperator().system.price({ asset: 'USDT' })).price).toBeNull();
  expect((await asOperator().queue.state()).queue).toContainEqual(expect.objectContaining({ kind: 'payout' }));
});

async function saveAsOwner(now: Date, finding: { rule: string; detail: string }): Promise<void> {
  const report = { transfers: 1, entries: 2, discrepancies: [finding] };
  const owner = openDatabase(trilho.ownerUrl, { max: 1 });
  await saveLedgerCheck(owner.pool, 'full', report, now);
  await owner.close();
  // The service's own role can't write a result: this changes nothing.
  await saveLedgerCheck(trilho.deps.db.pool, 'full', { ...report, discrepancies: [] }, now);
}
