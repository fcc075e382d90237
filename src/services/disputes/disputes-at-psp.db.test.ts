import { expect, test } from 'vitest';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { PixDispute } from '#rails/ports.ts';
import { returnAtPsp } from '#sandbox/pix/refund-records.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { listWaiting } from '../operators/list-waiting.ts';
import { resolveReview } from '../reviews/resolve-review.ts';
import { runSweep } from '../sweeps/sweep-payments.ts';
import { getTransactionDetail } from '../transactions/get-transaction-detail.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { assignPayment, depositPayment, listUnmatchedPayments } from '../unmatched/decide-unmatched.ts';
import { bookDispute } from './book-dispute.ts';
import { endDispute, enterDispute } from './manage-disputes.ts';
import { disputeScene } from './testing/dispute-scene.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const by = byOperator('ana');

const { psp, account, openAccount, deps, pass, sweep, paid, theCase, atPsp, balances, eventsOf, audited, contest } =
  disputeScene();

test('a case that the PSP opens is opened once, however often it is listed, and holds its money', async () => {
  const charge = await paid(100.51);
  await pass(MINUTE_MS);
  await Promise.all([1, 2, 3].map(() => sweep('disputes_recent')));
  await sweep('disputes_quarter');
  const opened = await theCase(charge.id);
  expect(opened).toMatchObject({
    state: 'open',
    reason: 'fraud',
    centavos: 10_051n,
    heldCentavos: 10_051n,
    openedAt: psp().now(),
    answerBy: new Date(psp().now().getTime() + 5 * DAY_MS),
  });
  expect(await balances()).toEqual([0n, 10_051n, 0n]);
  expect(await eventsOf(charge.id)).toEqual(['dispute.opened']);
});

test('a case is read until it ends, however long ago its payment was', async () => {
  const charge = await paid(100.51);
  await pass(MINUTE_MS);
  await sweep('disputes_recent');
  await pass(2 * DAY_MS);
  await sweep('disputes_recent');
  await contest((await theCase(charge.id)).id);
  await psp().work();
  await pass(MINUTE_MS);
  await sweep('disputes_recent');
  expect(await theCase(charge.id)).toMatchObject({ state: 'won', heldCentavos: 0n });
  expect(await balances()).toEqual([10_051n, 0n, 0n]);
  expect(await eventsOf(charge.id)).toEqual(['dispute.closed', 'dispute.opened']);
});

test.each([
  ['52', 'returned', [0n, 0n, 0n], 10_052n],
  ['53', 'returned', [5_027n, 0n, 0n], 5_026n],
  ['54', 'cancelled', [10_054n, 0n, 0n], 0n],
] as const)(
  'a case of R$ 100,%s that ended before it was seen is opened and ended in order',
  async (cents, state, left, back) => {
    const charge = await paid(Number(`100.${cents}`));
    for (const _ of [1, 2, 3]) await pass(MINUTE_MS);
    await sweep('disputes_recent', 'disputes_recent');
    const { id, ...ended } = await theCase(charge.id);
    expect(ended).toMatchObject({ state, returnedCentavos: back });
    expect(await balances()).toEqual(left);
    expect(await eventsOf(charge.id)).toEqual(['dispute.closed', 'dispute.opened']);
    expect(await audited(id)).toEqual(['dispute.opened', 'dispute.closed']);
  },
);

test('a devolução that is seen before its case belongs to that case, and one without a case makes a case of its own', async () => {
  const seen = await paid(100.52);
  for (const _ of [1, 2, 3]) await pass(MINUTE_MS);
  await sweep('recent');
  await sweep('disputes_recent');
  expect(await theCase(seen.id)).toMatchObject({ state: 'returned', returnedCentavos: 10_052n });
  const alone = await paid(100.55);
  await pass(MINUTE_MS);
  await sweep('recent', 'disputes_recent');
  const { rows } = await psp().pool.query('SELECT provider_id, state FROM disputes WHERE transaction_id = $1', [
    alone.id,
  ]);
  expect(rows).toEqual([{ provider_id: null, state: 'returned' }]);
  expect(await balances()).toEqual([0n, 0n, 0n]);
});

/** The return mechanism takes a part of a payment, of which no case is listed yet. */
async function takePart(endToEndId: string, centavos: bigint) {
  const db = await psp().pool.connect();
  await returnAtPsp(db, endToEndId, { centavos, nature: 'MED_FRAUDE', now: psp().now() });
  db.release();
  await pass(1_000);
  await sweep('recent');
}

test('a case that is listed as open after its devolução was booked is that of the devolução, and a later one is another case', async () => {
  const charge = await paid(100);
  const openedAt = psp().now();
  await pass(MINUTE_MS);
  await takePart(charge.endToEndId, 4_000n);
  const listed = (providerId: string, opened: Date | null): PixDispute => ({
    ...{ providerId, endToEndId: charge.endToEndId, status: 'open', rawStatus: 'ABERTA', reason: 'fraud' },
    ...{ amountCentavos: 10_000n, openedAt: opened, answerBy: null, answeredAt: null, payerDocument: null },
  });
  const first = `first-of-${charge.id}`;
  expect(await bookDispute(deps(), 'sandbox', listed(first, openedAt))).toBe('linked');
  expect(await theCase(charge.id)).toMatchObject({
    ...{ providerId: first, state: 'returned', reason: 'fraud', centavos: 10_000n, returnedCentavos: 4_000n },
  });
  expect(await balances()).toEqual([6_000n, 0n, 0n]);
  await bookDispute(deps(), 'sandbox', { ...listed(first, openedAt), status: 'lost' });
  expect(await theCase(charge.id)).toMatchObject({ state: 'returned' });

  expect(await bookDispute(deps(), 'sandbox', listed(`second-of-${charge.id}`, psp().now()))).toBe('opened');
  expect(await balances()).toEqual([0n, 6_000n, 0n]);
});

test('what a case gives back in parts is one case’s, up to what is contested, and what exceeds it makes another one', async () => {
  const charge = await paid(100);
  const half: PixDispute = {
    ...{ providerId: `half-of-${charge.id}`, endToEndId: charge.endToEndId, status: 'lost', rawStatus: 'ACEITA' },
    ...{ reason: 'fraud', amountCentavos: 5_000n, openedAt: psp().now(), answerBy: null, answeredAt: null },
    payerDocument: null,
  };
  await bookDispute(deps(), 'sandbox', half);
  await takePart(charge.endToEndId, 3_000n);
  expect(await theCase(charge.id)).toMatchObject({ state: 'returned', returnedCentavos: 3_000n });
  await takePart(charge.endToEndId, 2_000n);
  expect(await theCase(charge.id)).toMatchObject({ state: 'returned', returnedCentavos: 5_000n });
  expect(await eventsOf(charge.id)).toEqual(['dispute.closed', 'dispute.opened']);

  // Of a case that no PSP has listed, what is contested is what went back.
  for (const centavos of [2_000n, 1_000n]) await takePart(charge.endToEndId, centavos);
  const { rows } = await psp().pool.query(
    `SELECT provider_id AS listed, centavos, returned_centavos AS returned FROM disputes
     WHERE transaction_id = $1 ORDER BY id`,
    [charge.id],
  );
  expect(rows).toEqual([
    { listed: half.providerId, centavos: '5000', returned: '5000' },
    { listed: null, centavos: '3000', returned: '3000' },
  ]);
  expect(await balances()).toEqual([2_000n, 0n, 0n]);
});

test('a case whose process died between its opening and its end is ended by the next sweep', async () => {
  const charge = await paid(100.54);
  for (const _ of [1, 2]) await pass(MINUTE_MS);
  const rail = (await deps().rails.pixNamed('sandbox'))?.disputes;
  const listed = await rail?.listDisputes({ from: new Date(0), to: psp().now(), page: 0 });
  if (listed?.outcome !== 'done') throw new Error('The PSP lists nothing.');
  const [ended] = listed.value.disputes.filter(({ endToEndId }) => endToEndId === charge.endToEndId);
  if (!ended) throw new Error('The PSP has no case.');
  await bookDispute(deps(), 'sandbox', { ...ended, status: 'open' });
  expect(await theCase(charge.id)).toMatchObject({ state: 'open' });
  await sweep('disputes_recent');
  expect(await theCase(charge.id)).toMatchObject({ state: 'cancelled' });
});

test('a case with an unknown state is opened and not ended, and the log has the PSP’s word for the state', async () => {
  const charge = await paid(100);
  const dispute: PixDispute = {
    providerId: `case-of-${charge.id}`,
    endToEndId: charge.endToEndId,
    status: null,
    rawStatus: 'EM_ANALISE',
    reason: 'unknown',
    amountCentavos: 99_999n,
    openedAt: null,
    answerBy: null,
    answeredAt: null,
    payerDocument: null,
  };
  await bookDispute(deps(), 'sandbox', dispute);
  await bookDispute(deps(), 'sandbox', dispute);
  expect(await theCase(charge.id)).toMatchObject({ state: 'open', centavos: 10_000n });
  expect(
    psp()
      .service()
      .log.filter((line) => line.includes('EM_ANALISE')),
  ).toHaveLength(2);
  await bookDispute(deps(), 'sandbox', { ...dispute, status: 'won' });
  await bookDispute(deps(), 'sandbox', { ...dispute, status: 'lost' });
  expect(await theCase(charge.id)).toMatchObject({ state: 'won' });
  expect(
    psp()
      .service()
      .log.some((line) => line.includes('A dispute ended otherwise at its PSP.')),
  ).toBe(true);
});

test('a case that the operator entered gets the PSP’s id, and its answer is sent then', async () => {
  const charge = await paid(100.51);
  expect(await enterDispute(deps(), { chargeId: charge.id, reason: 'fraud', centavos: null, answerBy: null, by })).toBe(
    'opened',
  );
  const { rows } = await psp().pool.query<{ id: string }>('SELECT id FROM disputes WHERE transaction_id = $1', [
    charge.id,
  ]);
  expect(await contest(rows[0]?.id ?? '')).toBe('answered');
  await pass(MINUTE_MS);
  await psp().work();
  expect(await atPsp(charge.endToEndId)).toMatchObject({ status: 'ABERTA' });
  await sweep('disputes_recent');
  await psp().work();
  expect(await atPsp(charge.endToEndId)).toMatchObject({ status: 'EM_DEFESA', defence: 'Entregue ao pagador.' });
  expect(await theCase(charge.id)).toMatchObject({ answerSentAt: psp().now() });
});

const logged = (...words: string[]) =>
  psp()
    .service()
    .log.filter((line) => words.every((word) => line.includes(word)));

/** Opens a case about a payment at the PSP. */
const contestAtPsp = (id: string, endToEndId: string) =>
  psp().pool.query(
    `INSERT INTO sandbox.disputes (id, document, end_to_end_id, amount_centavos, status, outcome, opened_at, answer_by, updated_at)
     SELECT $4, document, end_to_end_id, amount_centavos, 'ABERTA', 'contested', $2, $3, $2
     FROM sandbox.payments WHERE end_to_end_id = $1`,
    [endToEndId, psp().now(), new Date(psp().now().getTime() + DAY_MS), id],
  );

test('a case has the deadline that its PSP says, also one that the operator entered or that the PSP extends', async () => {
  const charge = await paid(100);
  expect(await enterDispute(deps(), { chargeId: charge.id, reason: 'fraud', centavos: null, answerBy: null, by })).toBe(
    'opened',
  );
  const days = (count: number) => new Date(psp().now().getTime() + count * DAY_MS);
  const listed = (answerBy: Date | null): PixDispute => ({
    ...{ providerId: `case-${charge.id}`, endToEndId: charge.endToEndId, status: 'open', rawStatus: 'ABERTA' },
    ...{ reason: 'fraud', amountCentavos: null, openedAt: null, answerBy, answeredAt: null, payerDocument: null },
  });
  const book = (answerBy: Date | null) => bookDispute(deps(), 'sandbox', listed(answerBy));
  await pass(3 * DAY_MS);
  expect(await book(days(4))).toBe('linked deadline_moved');
  const { id } = await theCase(charge.id);
  expect([await book(null), await book(days(4))]).toEqual(['unchanged', 'unchanged']);
  expect(await book(days(6))).toBe('deadline_moved');
  expect(await theCase(charge.id)).toMatchObject({ answerBy: days(6) });

  // Its merchant is reminded at half of that time, and can answer.
  await pass(2 * DAY_MS);
  await psp().work();
  expect(await eventsOf(charge.id)).toEqual(['dispute.due_soon', 'dispute.opened']);
  expect(await contest(id)).toBe('answered');
  expect(await book(days(1))).toBe('deadline_moved');
  await endDispute(deps(), { id, to: 'cancelled', by });
  expect(await book(days(9))).toBe('unchanged');
});

test('a contested payment in review is marked, and becomes a case once it is credited', async () => {
  const created = await psp().service().post('/payments/transactions', account().apiKey, { amount: 100 });
  const transactionId = transactionIdOf(created);
  await deps().sandbox?.pay({ txid: transactionId.replaceAll('-', ''), force: false, amount: '99.00' });
  await psp().work();
  const inReview = async () => (await listWaiting(deps())).find((one) => one.transactionId === transactionId);
  const review = await inReview();
  expect(review).toMatchObject({ kind: 'review', isContested: false });
  await contestAtPsp('reviewed-case', String(review?.endToEndId));
  await sweep('disputes_recent', 'disputes_recent');
  expect(await inReview()).toMatchObject({ isContested: true });
  await pass(DAY_MS / 2);
  const decision = { id: String(review?.id), resolution: 'credit', reason: 'it is its payment', by } as const;
  expect(await resolveReview(deps(), decision)).toBe('credited');
  await sweep('disputes_recent');
  expect(await theCase(transactionId)).toMatchObject({ state: 'open', providerId: 'reviewed-case' });
});

/** A payment to the account's key, without a charge, that waits for a decision. */
async function unmatchedPayment() {
  await psp().setSwitch('pix.psp_acts', 'pay_key');
  await paid(100);
  await psp().setSwitch('pix.psp_acts', 'none');
  await sweep('recent');
  const [waiting] = await listUnmatchedPayments(deps(), { waiting: true, accountId: null });
  if (!waiting) throw new Error('No payment waits.');
  return waiting;
}

test('a contested payment without a charge is marked, and becomes a case once it is assigned to one', async () => {
  const waiting = await unmatchedPayment();
  await contestAtPsp('unmatched-case', waiting.endToEndId);
  await sweep('disputes_recent', 'disputes_recent');
  expect(logged('A payment that is not credited is contested.', waiting.endToEndId)).toHaveLength(1);
  const created = await psp().service().post('/payments/transactions', account().apiKey, { amount: 100 });
  const transactionId = transactionIdOf(created);
  await pass(DAY_MS / 2);
  expect(
    await assignPayment(deps(), { id: waiting.id, accountId: null, chargeId: transactionId, reason: 'found', by }),
  ).toBe('assigned');
  await sweep('disputes_recent');
  expect(await theCase(transactionId)).toMatchObject({ state: 'open', providerId: 'unmatched-case' });
});

test('a lost case whose devolução came before its payment was credited ends with it, and holds nothing of the rest', async () => {
  const waiting = await unmatchedPayment();
  await contestAtPsp('returned-case', waiting.endToEndId);
  await pass(MINUTE_MS);
  const db = await psp().pool.connect();
  await returnAtPsp(db, waiting.endToEndId, { centavos: 4_000n, nature: 'MED_FRAUDE', now: psp().now() });
  db.release();
  await psp().pool.query("UPDATE sandbox.disputes SET status = 'ACEITA' WHERE id = 'returned-case'");
  await pass(MINUTE_MS);
  await sweep('quarter');
  const deposit = { id: waiting.id, accountId: null, toAccountId: account().id, reason: 'found', by };
  expect(await depositPayment(deps(), deposit)).toBe('deposited');
  await sweep('disputes_recent');
  const { rows } = await psp().pool.query('SELECT id FROM transactions WHERE end_to_end_id = $1', [waiting.endToEndId]);
  expect(await theCase(rows[0]?.id)).toMatchObject({ state: 'returned', heldCentavos: 0n, centavos: 6_000n });
  expect(await eventsOf(rows[0]?.id)).toEqual(['dispute.closed', 'dispute.opened']);
  // With the charge whose payer paid the key, too.
  expect(await balances()).toEqual([16_000n, 0n, 0n]);
});

const MARIA = { customerName: 'Maria Silva', customerDocument: '11144477735', customerDocumentType: 'cpf' };

test('the payer’s document of a case is kept sealed, and is found by a fingerprint', async () => {
  const charge = await paid(100.51, MARIA);
  await pass(MINUTE_MS);
  await sweep('disputes_recent');
  const { rows } = await psp().pool.query<{ id: string; document: string; index: Buffer }>(
    'SELECT id, payer_document AS document, payer_document_index AS index FROM disputes WHERE transaction_id = $1',
    [charge.id],
  );
  const { secretBox } = deps();
  const [{ id, document, index }] = rows as [{ id: string; document: string; index: Buffer }];
  expect(secretBox.open(document, sealContext('disputes.payer_document', { id }))).toBe('11144477735');
  expect(index).toEqual(secretBox.fingerprint('11144477735', 'customer-document'));
});

test.each([
  ['the PSP has named', 100.52, {}, '52998224725'],
  ['a devolução without a case has taken a payment of', 100.55, MARIA, '11144477735'],
])('a later charge to a payer that %s is flagged, in its own account alone', async (_, amount, payer, document) => {
  const before = await paid(10, { ...MARIA, customerDocument: document });
  const lost = await paid(amount, payer);
  for (const __ of [1, 2, 3]) await pass(MINUTE_MS);
  await sweep('disputes_recent', 'recent');
  psp().advance(1_000);
  const noticeOf = async ({ id }: { id: string }) => (await getTransactionDetail(deps(), account().id, id)).lostToPayer;
  const next = await paid(10, { ...MARIA, customerDocument: document });
  const { rows } = await psp().pool.query('SELECT id FROM disputes WHERE transaction_id = $1', [lost.id]);
  expect(await noticeOf(next)).toMatchObject({ disputeId: rows[0].id });
  expect(await noticeOf(before)).toBeNull();
  expect(await noticeOf(lost)).toBeNull();
  expect(await noticeOf(await paid(10, { ...MARIA, customerDocument: '39053344705' }))).toBeNull();
  const warned = psp()
    .service()
    .log.filter((line) => line.includes('to whom its account has lost a dispute'));
  expect(warned.filter((line) => line.includes(next.id))).toHaveLength(1);
  expect(warned.join()).not.toContain(document);
  await openAccount();
  expect(await noticeOf(await paid(10, { ...MARIA, customerDocument: document }))).toBeNull();
});

test('credentials that may not list disputes are tried again an hour later, and nothing counts as read', async () => {
  const { rows } = await psp().pool.query<{ id: string }>("SELECT id FROM sweeps WHERE span = 'disputes_recent'");
  const id = rows[0]?.id ?? '';
  const finished = async () => (await psp().pool.query('SELECT finished_at FROM sweeps WHERE id = $1', [id])).rows;
  const before = await finished();
  psp().advance(MINUTE_MS);
  const { rails } = deps();
  const pixNamed: typeof rails.pixNamed = async (name) => {
    const rail = await rails.pixNamed(name);
    const denied = { outcome: 'rejected', reason: 'HTTP 403' } as const;
    return rail && { ...rail, disputes: rail.disputes && { ...rail.disputes, listDisputes: async () => denied } };
  };
  const next = await runSweep({ ...deps(), rails: { ...rails, pixNamed } }, id);
  expect(next).toEqual(new Date(psp().now().getTime() + 60 * MINUTE_MS));
  expect(await finished()).toEqual(before);
});
