import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { recordForeignPayout } from '#db/unmatched/foreign-payouts.ts';
import { recordUnmatched } from '#db/unmatched/unmatched.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { listWaiting } from '#services/operators/list-waiting.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';

/** The payments are of the sandbox's rail, as if it were these accounts' own. */
let trilho: TestService;
let account: { id: string; apiKey: string };
beforeAll(async () => {
  trilho = await startTestService();
  account = await newAccount();
  // A payment in the PSP's books, from which `received` makes others.
  await trilho.pay(await newCharge(1));
});
beforeEach(async () => {
  account = await newAccount();
});
afterEach(async () => {
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});
afterAll(() => trilho.stop());

async function newAccount() {
  const { accountId, apiKey } = await trilho.openAccount({
    fees: [{ type: 'pix_in', fee: { bps: 100, fixedCentavos: 0n } }],
  });
  return { id: accountId, apiKey: apiKey ?? '' };
}

async function newMember(): Promise<string> {
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>(
    `INSERT INTO members (id, name, email, email_verified, created_at, updated_at)
     SELECT id, 'Maria da Silva', id || '@example.com', true, now(), now() FROM gen_random_uuid() AS id RETURNING id`,
  );
  return rows[0]?.id ?? '';
}

let payments = 0;
const endToEnd = () => `E99999999202611201200${String(++payments).padStart(11, '0')}`;

async function received(accountId: string, centavos: bigint): Promise<string> {
  const now = trilho.deps.clock();
  const id = uuidv7(now);
  const endToEndId = endToEnd();
  await trilho.asOwner(`INSERT INTO sandbox.payments (end_to_end_id, document, txid, chave, amount_centavos, paid_at)
    SELECT '${endToEndId}', document, NULL, chave, ${centavos}, now() FROM sandbox.payments LIMIT 1`);
  const payment = { id, rail: 'sandbox', mode: 'test', accountId, txid: null, payerNote: null } as const;
  const times = { paidAt: now, createdAt: now };
  expect(await recordUnmatched(trilho.deps.db.pool, { ...payment, ...times, endToEndId, centavos })).toBe(true);
  return id;
}

async function sent(accountId: string, centavos: bigint): Promise<string> {
  const now = trilho.deps.clock();
  const id = uuidv7(now);
  const payout = { id, rail: 'sandbox', mode: 'test', accountId, centavos } as const;
  await recordForeignPayout(trilho.deps.db.pool, { ...payout, endToEndId: endToEnd(), sentAt: now, createdAt: now });
  return id;
}

async function newCharge(amount: number): Promise<string> {
  return transactionIdOf(await trilho.post('/payments/transactions', account.apiKey, { amount }));
}

const reasonOf = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code;
const refused = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => reasonOf(error),
  );

test('the overview counts what came without a charge apart from what left without a request', async () => {
  const { id: accountId } = await newAccount();
  await received(accountId, 25_00n);
  await received(accountId, 5_00n);
  await sent(accountId, 12_34n);
  const { attention } = await (await panelCaller(trilho.deps, accountId)).overview.get({ period: 'today' });
  expect(attention.unmatched).toMatchObject({ count: 2, amount: 30 });
  expect(attention.unrequested).toMatchObject({ count: 1, amount: 12.34 });
});

test('a member assigns a payment to a charge by the figures they have seen, once; the decision says who and why', async () => {
  const memberId = await newMember();
  const caller = await panelCaller(trilho.deps, account.id, { memberId });
  expect((await caller.session.me()).has_unmatched).toBe(false);
  const paymentId = await received(account.id, 25_00n);
  const [charge, other] = [await newCharge(25), await newCharge(30)];
  expect((await caller.session.me()).has_unmatched).toBe(true);
  expect((await caller.overview.get({ period: 'today' })).attention.unmatched).toMatchObject({ count: 1, amount: 25 });

  const offered = await caller.unmatched.assignable({ payment_id: paymentId });
  expect(offered.charges).toMatchObject([{ transaction_id: charge, amount: 25, status: 'pending' }]);
  const searched = await caller.unmatched.assignable({ payment_id: paymentId, text: other });
  expect(searched.charges).toMatchObject([{ transaction_id: other, amount: 30 }]);
  const preview = await caller.unmatched.preview({ payment_id: paymentId, charge_id: other });
  expect(preview).toEqual({ amount: 25, fee: 0.25, split: 0, net: 24.75 });

  const decision = { payment_id: paymentId, charge_id: other, reason: ' the payer called ' };
  expect(await refused(caller.unmatched.assign({ ...decision, net: 24.76 }))).toBe('figures_changed');
  expect(await caller.unmatched.assign({ ...decision, net: 24.75 })).toEqual({ outcome: 'assigned' });
  expect(await refused(caller.unmatched.assign({ ...decision, net: 24.75 }))).toBe('payment_decided');
  expect(await refused(caller.unmatched.returnToPayer({ ...decision, amount: 25 }))).toBe('payment_decided');
  expect(await refused(caller.unmatched.preview({ payment_id: paymentId }))).toBe('payment_decided');
  const { received: waiting, decided } = await caller.unmatched.inbox();
  expect(waiting).toEqual([]);
  expect(decided).toMatchObject([
    {
      outcome: 'assigned',
      amount: 25,
      reason: 'the payer called',
      decided_by: 'Maria da Silva',
      transaction_id: other,
    },
  ]);
  const { entries } = await caller.security.activity({ kind: 'money' });
  expect(entries[0]).toMatchObject({ action: 'unmatched.assigned', by: 'you', amount: 25, transaction_id: other });
});

test('who decides about a payment sees that its payer contested it', async () => {
  const paymentId = await received(account.id, 10_00n);
  const caller = await panelCaller(trilho.deps, account.id);
  const isContested = async () => [
    (await caller.unmatched.inbox()).received[0]?.contested,
    (await listWaiting(trilho.deps)).find(({ id }) => id === paymentId)?.isContested,
  ];
  expect(await isContested()).toEqual([false, false]);
  await trilho.asOwner(`UPDATE unmatched_payments SET contested_as = 'case' WHERE id = '${paymentId}'`);
  expect(await isContested()).toEqual([true, true]);
});

test('a member deposits a payment with the account’s fee, and has another one returned', async () => {
  const caller = await panelCaller(trilho.deps, account.id, { memberId: await newMember() });
  const [first, second] = [await received(account.id, 10_00n), await received(account.id, 20_00n)];
  expect(await caller.unmatched.preview({ payment_id: first })).toEqual({ amount: 10, fee: 0.1, split: 0, net: 9.9 });
  const deposit = { payment_id: first, reason: 'a donation', net: 9.9 };
  expect(await caller.unmatched.deposit(deposit)).toEqual({ outcome: 'deposited' });
  const giveBack = { payment_id: second, reason: 'not for us' };
  expect(await refused(caller.unmatched.returnToPayer({ ...giveBack, amount: 19 }))).toBe('figures_changed');
  expect(await caller.unmatched.returnToPayer({ ...giveBack, amount: 20 })).toEqual({ outcome: 'returning' });
  const decided = await trilho.until('the payer has it back', async () => {
    const inbox = await caller.unmatched.inbox();
    return inbox.received.length === 0 ? inbox.decided : null;
  });
  expect(decided).toMatchObject([
    { id: second, outcome: 'returned', amount: 20, reason: 'not for us' },
    { id: first, outcome: 'deposited', amount: 10, reason: 'a donation' },
  ]);
  expect((await caller.overview.get({ period: 'today' })).attention.unmatched).toBeNull();
});

test('a member charges the balance for a payout that was made at the bank', async () => {
  const caller = await panelCaller(trilho.deps, account.id, { memberId: await newMember() });
  const payoutId = await sent(account.id, 15_00n);
  expect((await caller.unmatched.inbox()).sent).toMatchObject([{ payout_id: payoutId, amount: 15 }]);
  const decision = { payout_id: payoutId, reason: 'our rent' };
  expect(await refused(caller.unmatched.charge({ ...decision, amount: 14 }))).toBe('figures_changed');
  expect(await caller.unmatched.charge({ ...decision, amount: 15 })).toEqual({ outcome: 'charged' });
  expect((await caller.balance.get({})).data).toMatchObject({ available_balance: 0, owed_balance: 15 });
  expect((await caller.unmatched.inbox()).decided).toMatchObject([{ outcome: 'charged', amount: 15 }]);
});

test('another account’s payments do not exist for a member: they are neither shown nor decided about', async () => {
  const other = await newAccount();
  const caller = await panelCaller(trilho.deps, account.id, { memberId: await newMember() });
  const theirs = await panelCaller(trilho.deps, other.id);
  const [paymentId, payoutId] = [await received(other.id, 5_00n), await sent(other.id, 6_00n)];
  expect(await caller.unmatched.inbox()).toEqual({ received: [], sent: [], decided: [] });
  expect((await caller.session.me()).has_unmatched).toBe(false);
  const reason = 'mine now';
  for (const call of [
    () => caller.unmatched.assignable({ payment_id: paymentId }),
    () => caller.unmatched.preview({ payment_id: paymentId }),
    () => caller.unmatched.deposit({ payment_id: paymentId, net: 4.95, reason }),
    () => caller.unmatched.returnToPayer({ payment_id: paymentId, amount: 5, reason }),
    () => caller.unmatched.charge({ payout_id: payoutId, amount: 6, reason }),
  ]) {
    expect(await refused(call())).toBe('not_found');
  }
  // Nor does their own payment pay another account's charge.
  const charge = await newCharge(5);
  const assign = theirs.unmatched.assign({ payment_id: paymentId, charge_id: charge, net: 4.95, reason });
  expect(await refused(assign)).toBe('transaction_not_found');
  expect((await theirs.unmatched.inbox()).received).toHaveLength(1);
});
