import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { addMember } from '#db/testing/add-member.ts';
import { approveWithdrawal, findApproval } from '#db/withdrawals/approvals.ts';
import type { Role } from '#domain/members/roles.ts';
import { uuidToTxid, uuidv7 } from '#domain/values/uuid.ts';
import { mayCall } from '#server/procedures/role-access.ts';
import { balanceOf } from '#testing/balance-of.ts';
import { mailsTo } from '#testing/mails.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { returnByMed } from '#testing/return-by-med.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { pixDestination } from '../payees/destination.ts';
import { bookSentPayment } from '../unmatched/book-sent-payment.ts';
import { expireApproval } from './fail-waiting.ts';
import { APPROVERS } from './notify-approval.ts';

/** Withdrawals that wait for a second person, from the request over REST to their end. */

const WEEK_MS = 7 * 24 * 3_600_000;

const PIX = { path: '/payments/transfers/pix', body: { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' } };
const CRYPTO = {
  path: '/payments/transfers/crypto',
  body: { wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
};

let aheadMs = 0;
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(Date.now() + aheadMs) });
});
afterAll(() => trilho.stop());
afterEach(async () => {
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});

/** An account with R$ 100 whose withdrawals above R$ 50 wait, and three members. */
async function merchant(mode: 'live' | 'test' = 'test') {
  const opened = await trilho.openAccount({ mode, currency: 'USDT_BSC' });
  const { apiKey, accountId, merchantId } = opened;
  const { pool } = trilho.deps.db;
  const chargeId = await makePaidCharge(trilho, apiKey, { amount: 100 });
  const balance = () => balanceOf(trilho, apiKey);
  await pool.query(`INSERT INTO withdrawal_thresholds (account_id, kind, centavos) VALUES ($1, 'approval', 5000)`, [
    accountId,
  ]);
  const member = async (role: Role) => {
    const memberId = uuidv7(trilho.deps.clock());
    const email = `${memberId}@example.com`;
    await addMember(pool, { id: memberId, merchantId, email, role, name: `Pessoa ${role}` });
    return { memberId, email, panel: await panelCaller(trilho.deps, accountId, { memberId, email, role }) };
  };
  const [owner, finance, support] = [await member('owner'), await member('finance'), await member('support')];
  const details = async (id: string) =>
    (await trilho.get(`/payments/transactions/${id}`, apiKey)).body.data as Record<string, unknown>;
  return {
    ...{ apiKey, accountId, chargeId, balance, owner, finance, support, details },
    request: (kind: typeof PIX | typeof CRYPTO, amount = 60) =>
      trilho.post(kind.path, apiKey, { ...kind.body, amount }),
    becomes: (id: string, status: string) =>
      trilho.until(`${id} is ${status}`, async () => {
        const found = await details(id);
        return found.status === status ? found : null;
      }),
  };
}

async function executions(): Promise<number> {
  const { rows } = await trilho.deps.db.pool.query<{ n: bigint }>(
    'SELECT (SELECT count(*) FROM sandbox.payouts) + (SELECT count(*) FROM sandbox.crypto_payouts) AS n',
  );
  return Number(rows[0]?.n);
}

test('the roles that are notified of a waiting withdrawal are those that may approve it', () => {
  const may = (['owner', 'finance', 'developer', 'support', 'viewer'] as const).filter((role) =>
    mayCall(role, 'approvals.approve'),
  );
  expect(may).toEqual([...APPROVERS]);
});

describe.each([
  ['PIX', PIX, 'paid', 'pix_out'],
  ['crypto', CRYPTO, 'completed', 'crypto_out'],
] as const)('over %s, REST', (_name, kind, settled, type) => {
  test('says that a withdrawal above the threshold waits, and sends one below it without a sub-status', async () => {
    const one = await merchant();
    const waiting = await one.request(kind);
    expect([waiting.status, waiting.body.data]).toEqual([
      200,
      expect.objectContaining({ status: 'pending', sub_status: 'pending_approval' }),
    ]);
    const id = transactionIdOf(waiting);
    expect(await one.details(id)).toMatchObject({ status: 'pending', sub_status: 'pending_approval' });
    const list = await trilho.get('/payments/transactions?display_status=pending_approval', one.apiKey);
    expect((list.body.data as { transaction_id: string }[]).map((found) => found.transaction_id)).toContain(id);
    expect(await one.balance()).toMatchObject({ blocked: 60 });

    const small = await one.request(kind, 40);
    expect(small.status).toBe(200);
    expect(small.body.data).not.toHaveProperty('sub_status');
    await one.becomes(transactionIdOf(small), settled);
    expect(await one.details(id)).toMatchObject({ status: 'pending', sub_status: 'pending_approval' });
  });

  test('is not sent out of what was held for it while its account owes, and pays the debt when it is declined', async () => {
    const one = await merchant();
    const before = await executions();
    const id = transactionIdOf(await one.request(kind));
    expect(await returnByMed(trilho, one.chargeId, 50_00n)).toBe('foreign_refund');
    await expect(one.finance.panel.approvals.approve({ transaction_id: id })).rejects.toMatchObject({
      cause: { code: 'insufficient_funds' },
    });
    expect(await one.details(id)).toMatchObject({ status: 'pending', sub_status: 'pending_approval' });
    await makePaidCharge(trilho, one.apiKey, { amount: 9.99 });
    await expect(one.finance.panel.approvals.approve({ transaction_id: id })).rejects.toMatchObject({
      cause: { code: 'insufficient_funds' },
    });
    await one.owner.panel.approvals.decline({ transaction_id: id, reason: 'A conta deve.' });
    expect(await one.balance()).toEqual({ available: 59.99, blocked: 0 });
    expect(await executions()).toBe(before);
  });

  test('shows it sent, once, after another member has approved it', async () => {
    const one = await merchant();
    const before = await executions();
    const id = transactionIdOf(await one.request(kind));
    await one.finance.panel.approvals.approve({ transaction_id: id });
    expect(await one.becomes(id, settled)).toMatchObject({ sub_status: null, type });
    expect(await executions()).toBe(before + 1);
    expect(await one.balance()).toEqual({ available: 40, blocked: 0 });
    await expect(one.owner.panel.approvals.approve({ transaction_id: id })).rejects.toMatchObject({
      cause: { code: 'approval_decided' },
    });
    const { approval } = await one.owner.panel.detail.get({ transaction_id: id });
    expect(approval).toMatchObject({ outcome: 'approved', decided_by: 'Pessoa finance', asked_by_key: true });
  });

  test('shows it failed, with its reason in the panel alone, after it was declined', async () => {
    const one = await merchant();
    const id = transactionIdOf(await one.request(kind));
    await one.owner.panel.approvals.decline({ transaction_id: id, reason: ' Não conhecemos. ' });
    const failed = await one.becomes(id, 'failed');
    expect(failed).toMatchObject({ sub_status: null, failure: { code: 'approval_declined' } });
    expect(JSON.stringify(failed)).not.toContain('Não conhecemos');
    expect((await one.finance.panel.detail.get({ transaction_id: id })).approval).toMatchObject({
      outcome: 'declined',
      reason: 'Não conhecemos.',
    });
    expect(await one.balance()).toEqual({ available: 100, blocked: 0 });
  });
});

// ASVS 2.3.5
test('the member who requested a withdrawal in the panel sees that and can’t approve it, and a role that sends no money has no such procedure', async () => {
  const one = await merchant();
  const key = { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' as const };
  const { data } = await one.owner.panel.withdrawals.pix({ amount: 60, ...key });
  expect(data.sub_status).toBe('pending_approval');
  const named = { transaction_id: data.transaction_id };
  expect((await one.owner.panel.detail.get(named)).approval).toMatchObject({ own: true, asked_by: 'Pessoa owner' });
  expect((await one.finance.panel.detail.get(named)).approval).toMatchObject({ own: false });
  await expect(one.owner.panel.approvals.approve(named)).rejects.toMatchObject({ cause: { code: 'approval_own' } });
  await expect(one.support.panel.approvals.approve(named)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const { attention } = await one.finance.panel.overview.get({ period: '7d' });
  expect(attention.awaited_approvals).toMatchObject({
    count: 1,
    amount: 60,
    oldest_transaction_id: data.transaction_id,
  });
  expect(attention.stuck_withdrawals).toBeNull();
  expect(await one.owner.panel.withdrawalPreview.get({ kind: 'pix', amount: 10 })).toMatchObject({
    approval_above: 50,
  });
});

test('a withdrawal of another account is not found, like one that does not wait', async () => {
  const [one, other] = [await merchant(), await merchant()];
  const [waiting, small] = [transactionIdOf(await one.request(PIX)), transactionIdOf(await other.request(PIX, 10))];
  for (const transaction_id of [waiting, small, 'nothing']) {
    const { panel } = other.finance;
    for (const decide of [
      () => panel.approvals.approve({ transaction_id }),
      () => panel.approvals.decline({ transaction_id, reason: 'Não.' }),
    ]) {
      await expect(decide()).rejects.toMatchObject({ cause: { code: 'transaction_not_found' } });
    }
  }
});

test('a payout whose process dies after the approval was stored is sent once', async () => {
  const one = await merchant();
  const before = await executions();
  const id = transactionIdOf(await one.request(PIX));
  const { accountId } = one;
  const approval = {
    ...{ id, accountId, memberId: one.finance.memberId, requote: null, now: trilho.deps.clock() },
    destination: pixDestination(trilho.deps, accountId, PIX.body.pixKey),
  };
  // No worker is woken, and the audit is not written.
  expect(await approveWithdrawal(trilho.deps.db.pool, approval)).toBe('approved');
  await expect(one.owner.panel.approvals.approve({ transaction_id: id })).rejects.toMatchObject({
    cause: { code: 'approval_decided' },
  });
  await one.becomes(id, 'paid');
  expect(await executions()).toBe(before + 1);
});

test('a withdrawal of a member who is paused is not approved, and the answer says so', async () => {
  const one = await merchant();
  const key = { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' as const };
  const { data } = await one.owner.panel.withdrawals.pix({ amount: 60, ...key });
  const named = { transaction_id: data.transaction_id };
  const pause = (until: Date | null) =>
    trilho.deps.db.pool.query('UPDATE members SET withdrawals_blocked_until = $2 WHERE id = $1', [
      one.owner.memberId,
      until,
    ]);
  await pause(new Date(trilho.deps.clock().getTime() + 3_600_000));
  await expect(one.finance.panel.approvals.approve(named)).rejects.toMatchObject({ cause: { code: 'asker_paused' } });
  expect(await one.details(data.transaction_id)).toMatchObject({ sub_status: 'pending_approval' });
  await pause(null);
  await one.finance.panel.approvals.approve(named);
  await one.becomes(data.transaction_id, 'paid');
});

test('members who may approve get a mail, except the one who requested; an undecided withdrawal fails after seven days', async () => {
  const one = await merchant('live');
  const key = { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' as const };
  const { data } = await one.owner.panel.withdrawals.pix({ amount: 60, ...key });
  const [mail] = await trilho.until('a mail', async () => {
    const found = mailsTo(trilho, one.finance.email);
    return found.length > 0 ? found : null;
  });
  expect(mail).toMatch(/Saque de R\$.60,00 espera aprova/);
  expect(mail).toContain(`/live/transacoes/${data.transaction_id}`);
  expect([...mailsTo(trilho, one.owner.email), ...mailsTo(trilho, one.support.email)]).toEqual([]);

  aheadMs += WEEK_MS + 1_000;
  const failed = await one.becomes(data.transaction_id, 'failed');
  expect(failed).toMatchObject({ failure: { code: 'approval_expired' } });
  expect(await one.balance()).toEqual({ available: 100, blocked: 0 });
});

test('an approval whose end comes as the clock is set back ends at its time, and holds its money no longer', async () => {
  const one = await merchant();
  const id = transactionIdOf(await one.request(PIX));
  const { pool } = trilho.deps.db;
  // As after the PSP was asked whether it has the withdrawal, which takes seconds.
  const endsAt = await expireApproval(trilho.deps, id);
  expect(endsAt).toEqual((await findApproval(pool, id))?.expiresAt);
  expect(await one.details(id)).toMatchObject({ sub_status: 'pending_approval' });
  aheadMs += WEEK_MS + 1_000;
  await one.becomes(id, 'failed');
  expect(await expireApproval(trilho.deps, id)).toBeNull();
  expect(await one.balance()).toEqual({ available: 100, blocked: 0 });
});

test('the mail about a scheduled withdrawal that waits does not say that its amount is blocked', async () => {
  const one = await merchant('live');
  const scheduledFor = new Date(trilho.deps.clock().getTime() + WEEK_MS).toISOString().slice(0, 10);
  const { pixKey } = PIX.body;
  await one.owner.panel.withdrawals.pix({ amount: 60, pixKey, pixKeyType: 'EMAIL', scheduledFor });
  expect(await one.balance()).toEqual({ available: 100, blocked: 0 });
  const [mail] = await trilho.until('a mail', async () => {
    const found = mailsTo(trilho, one.finance.email);
    return found.length > 0 ? found : null;
  });
  expect(mail).toMatch(/Nada foi enviado\./);
  expect(mail).not.toMatch(/O valor\b/);
});

test('a waiting withdrawal that its PSP has, because a database that was lost had it approved, is neither declined nor expired, and ends as it did there', async () => {
  const one = await merchant();
  const psp = (await trilho.deps.rails.pixNamed('sandbox'))?.payouts;
  const sendBefore = (id: string, amountCentavos: bigint) =>
    psp?.sendPayout({ payoutId: uuidToTxid(id), amountCentavos, pixKey: PIX.body.pixKey, description: null });
  const before = await executions();
  const first = transactionIdOf(await one.request(PIX));
  await sendBefore(first, 6_000n);
  const { panel } = one.finance;
  const decline = () => panel.approvals.decline({ transaction_id: first, reason: 'Não conhecemos.' });
  await trilho.setSwitch('pix.query', 'error');
  await expect(decline()).rejects.toMatchObject({ cause: { code: 'unavailable' } });
  expect(await one.details(first)).toMatchObject({ sub_status: 'pending_approval' });
  await trilho.setSwitch('pix.query', 'ok');
  await expect(decline()).rejects.toMatchObject({ cause: { code: 'approval_decided' } });
  expect(await one.becomes(first, 'paid')).toMatchObject({ sub_status: null });
  expect(await one.balance()).toEqual({ available: 40, blocked: 0 });

  await trilho.deps.db.pool.query('UPDATE withdrawal_thresholds SET centavos = 0 WHERE account_id = $1', [
    one.accountId,
  ]);
  const [second, third] = [transactionIdOf(await one.request(PIX, 30)), transactionIdOf(await one.request(PIX, 10))];
  await sendBefore(second, 3_000n);
  await sendBefore(third, 1_000n);
  // The sweep of what was sent finds one before anybody decides.
  const listed = { payoutId: uuidToTxid(third), endToEndId: 'E1', amountCentavos: 1_000n, sentAt: trilho.deps.clock() };
  await bookSentPayment(trilho.deps, 'sandbox', { ...listed, status: 'completed', returns: [] });
  await one.becomes(third, 'paid');
  aheadMs += WEEK_MS + 1_000;
  await one.becomes(second, 'paid');
  expect(await one.balance()).toEqual({ available: 0, blocked: 0 });
  expect(await executions()).toBe(before + 3);
});
