import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { contestPayment } from '#sandbox/pix/contest.ts';
import { returnAtPsp } from '#sandbox/pix/refund-records.ts';
import { giveAnswer, listCases } from '#services/disputes/manage-disputes.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import type { PspUnderTest } from '../psp-under-test.ts';
import type { Answer } from '../test-service.ts';
import { manageAccount } from './manage-account.ts';
import { isManaged, type Step } from './steps.ts';
import { decideAll, owing, waiting } from './waiting.ts';
import { setSwitches, workUntilDead } from './work.ts';

const DAY_MS = 24 * 60 * 60_000;
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
let histories = 0;
let sentInCoins = 0;

/** A new account, and what happens to it. `seen` gets the kinds of what waits, and `died`. */
export async function startHistory(psp: PspUnderTest, seen: Set<string>) {
  await setSwitches(psp, { 'pix.callback': 'once', 'pix.query': 'ok', 'pix.psp_acts': 'none' });
  psp.lose([]);
  const { accountId, apiKey } = await psp
    .service()
    .openAccount({ email: `${++histories}@example.com`, currency: 'USDT_BSC' });
  const other = await psp.service().openAccount({ email: `other-${histories}@example.com` });
  const charges: string[] = [];
  const payouts: string[] = [];
  const from = (ids: readonly string[], index: number) => ids.at(-1 - (index % Math.max(ids.length, 1)));
  const chosen = (index: number) => from(charges, index);
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await psp.service().post(path, apiKey, body, headers);
    expect(answer.status, answer.text).toBeLessThan(500);
    return answer;
  };
  const idIn = ({ body }: Answer) => (body.data as { transaction_id: string } | undefined)?.transaction_id;

  async function happens(step: Step): Promise<void> {
    if (step.do === 'at once') {
      await Promise.all(step.steps.map(happens));
    } else if (step.do === 'charge') {
      const split = step.split && { splitReceiverUserId: other.accountId, splitAmount: 3 };
      const id = idIn(await post('/payments/transactions', { amount: Number(step.centavos) / 100, ...split }));
      if (id) charges.push(id);
    } else if (step.do === 'pay') {
      const id = chosen(step.ago);
      if (!id) return;
      await setSwitches(psp, { 'pix.psp_acts': step.act });
      // A charge that the PSP does not have is not paid.
      await sandboxOf(psp).pay({ txid: id.replaceAll('-', ''), force: true, ...(step.another && { amount: '33.70' }) });
    } else if (step.do === 'refund') {
      const id = chosen(step.ago);
      await setSwitches(psp, { 'pix.refund': step.ends });
      if (id) await post(`/payments/transactions/${id}/refund`, { amount: step.parts * 5 });
    } else if (step.do === 'withdraw') {
      await setSwitches(psp, { 'pix.payout': step.ends });
      await requestPayout({ centavos: step.centavos, times: step.times ?? 1, schedule: {} });
    } else if (step.do === 'schedule') {
      const scheduledFor = dateInSaoPaulo(new Date(psp.now().getTime() + DAY_MS));
      await requestPayout({ ...step, times: 1, schedule: { scheduledFor, reserve: step.reserve, ifMissed: 'run' } });
    } else if (step.do === 'cancel payout') {
      const id = from(payouts, step.ago);
      if (id) await post(`/payments/transfers/pix/${id}/cancel`, {});
    } else if (step.do === 'coins in') {
      const id = idIn(await post('/payments/deposits/crypto', { amount: Number(step.centavos) / 100 }));
      await setSwitches(psp, { 'crypto.processor_acts': step.act });
      if (id) await sandboxOf(psp).pay({ txid: id.replaceAll('-', ''), share: step.share, force: true });
    } else if (step.do === 'coins out') {
      await setSwitches(psp, { 'crypto.payout': step.ends });
      // Each has an amount of its own, by which a lost answer is found again.
      const id = idIn(await post('/payments/transfers/crypto', { amount: 11.7 + ++sentInCoins, wallet: WALLET }));
      if (id) payouts.push(id);
    } else if (step.do === 'cancel') {
      const id = chosen(step.ago);
      if (id) await post(`/payments/transactions/${id}/cancel`, {});
    } else if (step.do === 'return at PSP') await returnPart(step);
    else if (step.do === 'contest') await contest(step);
    else if (step.do === 'answer') await answer(step);
    else if (step.do === 'decide') await decideAll(psp, accountId, step.picks, seen, { isAlone: false });
    else if (isManaged(step)) {
      const payoutId = step.do === 'approval' ? from(payouts, step.ago) : undefined;
      const isTaken = await manageAccount(psp, { accountId, payoutId }, step);
      if (step.do === 'approval' && isTaken) seen.add(step.decision);
    } else if (step.do === 'callbacks') await setSwitches(psp, { 'pix.callback': step.mode });
    else if (step.do === 'silence') await setSwitches(psp, { 'pix.query': step.mode });
    else if (step.do === 'lose') psp.lose(step.losses);
    else if (step.do === 'wait') psp.advance(step.seconds * 1_000);
    else if (step.do === 'work') await psp.work();
    else if (step.do === 'restart') await psp.restart();
    else if (await workUntilDead(psp, step.statements)) seen.add('died');
  }

  /**
   * A payment of this history, with what the PSP still has of it; `index` counts back from the
   * newest.
   */
  async function findPayment(index: number) {
    const { rows } = await psp.pool.query<{ id: string; centavos: string; left: string }>(
      `SELECT p.end_to_end_id AS id, p.amount_centavos AS centavos, p.amount_centavos - coalesce((
          SELECT sum(r.amount_centavos) FROM sandbox.refunds r
          WHERE r.end_to_end_id = p.end_to_end_id AND r.status <> 'NAO_REALIZADO'), 0) AS left
        FROM sandbox.payments p WHERE p.txid = ANY ($1) OR p.txid IS NULL AND p.paid_at > $2
        ORDER BY p.paid_at DESC, p.end_to_end_id`,
      [charges.map((id) => id.replaceAll('-', '')), new Date(psp.now().getTime() - DAY_MS)],
    );
    return rows[index % Math.max(rows.length, 1)];
  }

  /** Returns a third or more of a payment: at the bank only where the PSP still has that much. */
  async function returnPart({ ago: index, parts: thirds, nature }: Step & { do: 'return at PSP' }) {
    const payment = await findPayment(index);
    const centavos = payment && (BigInt(payment.centavos) * BigInt(thirds)) / 3n;
    // The return mechanism may take a payment beside a refund of it, together more than was paid.
    if (!centavos || (nature === 'ORIGINAL' && centavos > BigInt(payment.left))) return;
    const db = await psp.pool.connect();
    await returnAtPsp(db, payment.id, { centavos, nature, now: psp.now() });
    db.release();
  }

  /** The payer contests a payment, and the PSP decides with `outcome`. */
  async function contest({ ago: index, outcome }: Step & { do: 'contest' }) {
    const payment = await findPayment(index);
    if (!payment) return;
    const db = await psp.pool.connect();
    await contestPayment(db, { endToEndId: payment.id, outcome }, psp.now());
    db.release();
  }

  async function answer({ ago: index, answer: given }: Step & { do: 'answer' }) {
    const { deps } = psp.service();
    const open = (await listCases(deps)).filter((one) => one.accountId === accountId && one.state === 'open');
    const id = open[index % Math.max(open.length, 1)]?.id;
    if (id) await giveAnswer(deps, { id, accountId, answer: given, text: 'Delivered.', by: byOperator('ana') });
  }

  /** Requests of one idempotency key make one withdrawal. */
  async function requestPayout(of: { centavos: bigint; times: number; schedule: object }) {
    const body = {
      ...{ amount: Number(of.centavos) / 100, pixKey: 'maria@example.com', pixKeyType: 'email' },
      ...of.schedule,
    };
    const headers = { 'idempotency-key': randomUUID() };
    const request = () => post('/payments/transfers/pix', body, headers);
    const answers = await Promise.all(Array.from({ length: of.times }, request));
    const ids = new Set(answers.map(idIn).filter((id) => id !== undefined));
    expect(ids.size, 'withdrawals of one idempotency key').toBeLessThanOrEqual(1);
    payouts.push(...ids);
  }

  return {
    accountId,
    accounts: [
      { id: accountId, apiKey },
      { id: other.accountId, apiKey: other.apiKey },
    ],
    async happens(step: Step) {
      await happens(step);
      // Only what is meant to happen at the same instant does.
      psp.advance(1_000);
      for (const { kind } of [...(await waiting(psp)), ...(await owing(psp))]) seen.add(kind);
    },
  };
}

const sandboxOf = (psp: PspUnderTest) => {
  const { sandbox: control } = psp.service().deps;
  if (!control) throw new Error('There is no sandbox.');
  return control;
};
