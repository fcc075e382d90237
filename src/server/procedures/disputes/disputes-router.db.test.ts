import { afterAll, beforeAll, expect, test } from 'vitest';
import { DomainError } from '#domain/errors/domain-error.ts';
import { endDispute } from '#services/disputes/manage-disputes.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import { disputedCharge } from '#testing/disputed-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

type Page = { data: { dispute_id: string; state: string }[]; next_cursor: string | null };
const list = async (apiKey: string, query: string) =>
  (await trilho.get(`/payments/disputes?${query}`, apiKey)).body as unknown as Page;
const ids = ({ data }: Page) => data.map(({ dispute_id }) => dispute_id);

test('the list of cases is paged, newest first, filtered by state, and has those of its account only', async () => {
  const { apiKey } = await trilho.openAccount();
  const other = await trilho.openAccount();
  const cases: string[] = [];
  for (const amount of [10, 20, 30]) cases.unshift((await disputedCharge(trilho, apiKey, amount)).disputeId);
  await disputedCharge(trilho, other.apiKey, 40);

  const first = await list(apiKey, 'limit=2');
  expect([ids(first), first.next_cursor]).toEqual([cases.slice(0, 2), cases[1]]);
  const second = await list(apiKey, `limit=2&cursor=${first.next_cursor}`);
  expect([ids(second), second.next_cursor]).toEqual([cases.slice(2), null]);

  await endDispute(trilho.deps, { id: cases[1] ?? '', to: 'won', by: byOperator('ana') });
  expect(ids(await list(apiKey, 'state=won'))).toEqual([cases[1]]);
  expect(ids(await list(apiKey, 'state=open,answered'))).toEqual([cases[0], cases[2]]);
  expect((await trilho.get(`/payments/disputes/${cases[0]}`, other.apiKey)).status).toBe(404);
});

test("a system's answer is kept in its words, sealed, and the audit names its key", async () => {
  const { accountId, apiKey } = await trilho.openAccount();
  const { disputeId } = await disputedCharge(trilho, apiKey, 50);
  const text = ' Entregue em mãos. ';
  const headers = { 'idempotency-key': 'resposta' };
  const send = () =>
    trilho.post(`/payments/disputes/${disputeId}/answer`, apiKey, { answer: 'contest', text }, headers);
  const answer = await send();
  expect(answer).toMatchObject({
    status: 200,
    body: { data: { state: 'answered', answer_text: 'Entregue em mãos.' } },
  });
  const { pool } = trilho.deps.db;
  const kept = await pool.query<{ text: string }>('SELECT answer_text AS text FROM disputes WHERE id = $1', [
    disputeId,
  ]);
  expect(kept.rows[0]?.text).not.toContain('Entregue');
  const { rows } = await pool.query(
    `SELECT k.id FROM audit_records r JOIN api_keys k ON k.id::text = r.details ->> 'key_id'
     WHERE r.action = 'dispute.answered' AND r.details ->> 'dispute_id' = $1`,
    [disputeId],
  );
  expect(rows).toHaveLength(1);
  // The process died between the commit and the record of its answer.
  await trilho.asOwner(
    `UPDATE idempotency_keys SET status = NULL, body = NULL, owner = 0 WHERE account_id = '${accountId}'`,
  );
  expect(await send()).toMatchObject({ status: 200, text: answer.text });
});

test('to agree in the panel asks for a fresh proof, to contest asks for none', async () => {
  const { accountId, apiKey } = await trilho.openAccount();
  const { disputeId } = await disputedCharge(trilho, apiKey, 60);
  const unconfirmed = await panelCaller(
    trilho.deps,
    accountId,
    {},
    {
      confirmations: {
        require: async () => {
          throw new DomainError('confirmation_required');
        },
      },
    },
  );
  await expect(unconfirmed.disputes.answer({ disputeId, answer: 'agree' })).rejects.toMatchObject({
    cause: { code: 'confirmation_required' },
  });
  await unconfirmed.disputes.answer({ disputeId, answer: 'contest' });
  expect(await unconfirmed.disputes.get({ disputeId })).toMatchObject({
    data: { state: 'answered', answered_by: 'Maria da Silva' },
  });
});

test('a contested payment is in the overview, its detail and its case, and needs attention until it is answered', async () => {
  const { accountId, apiKey } = await trilho.openAccount();
  const panel = await panelCaller(trilho.deps, accountId);
  expect(await panel.session.me()).toMatchObject({ has_disputes: false });
  const { chargeId, disputeId } = await disputedCharge(trilho, apiKey, 70);
  expect(await panel.session.me()).toMatchObject({ has_disputes: true });

  const { attention } = await panel.overview.get({ period: 'today' });
  expect(attention.disputes).toMatchObject({ count: 1, amount: 70, first_dispute_id: disputeId });
  expect(await panel.detail.get({ transaction_id: chargeId })).toMatchObject({
    dispute: { dispute_id: disputeId, state: 'open', amount: 70 },
    refundable: null,
  });
  expect(await panel.disputeCase.get({ dispute_id: disputeId })).toMatchObject({
    answerable: true,
    dispute: { held_amount: 70 },
    payment: { transaction: { transaction_id: chargeId } },
  });
  await expect(panel.transactions.refund({ transactionId: chargeId })).rejects.toMatchObject({
    cause: { code: 'charge_disputed', params: { dispute_id: disputeId } },
  });

  await panel.disputes.answer({ disputeId, answer: 'contest' });
  expect((await panel.overview.get({ period: 'today' })).attention.disputes).toBeNull();
  expect(await panel.disputeCase.get({ dispute_id: disputeId })).toMatchObject({ answerable: false });
  await endDispute(trilho.deps, { id: disputeId, to: 'won', by: byOperator('ana') });
  expect(await panel.detail.get({ transaction_id: chargeId })).toMatchObject({ refundable: { amount: 70 } });
});

test("another account's case does not exist for a member", async () => {
  const { apiKey } = await trilho.openAccount();
  const { disputeId } = await disputedCharge(trilho, apiKey, 80);
  const other = await panelCaller(trilho.deps, (await trilho.openAccount()).accountId);
  await expect(other.disputeCase.get({ dispute_id: disputeId })).rejects.toMatchObject({
    cause: { code: 'dispute_not_found' },
  });
});
