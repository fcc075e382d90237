import { expect, test } from 'vitest';
import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import { drainDueTasks } from '#jobs/worker.ts';
import type { Loss } from '#testing/psp-under-test.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { countOpenDisputes } from './count-open-disputes.ts';
import { enterDispute } from './manage-disputes.ts';
import { noteForwardedAnswer } from './note-forwarded-answer.ts';
import { sendDisputeAnswer } from './send-dispute-answer.ts';
import { disputeScene } from './testing/dispute-scene.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const by = byOperator('ana');

const { psp, deps, pass, sweep, paid, theCase, atPsp, balances, audited, contest } = disputeScene();

test.each([
  ['contest', 'rejeitado', 'won'],
  ['agree', 'aceito', 'lost'],
] as const)('an answer to %s is sent once, and decides the case', async (answer, analysis, state) => {
  const charge = await paid(100.51);
  await pass(MINUTE_MS);
  await sweep('disputes_recent');
  const { id } = await theCase(charge.id);
  expect(await contest(id, answer)).toBe('answered');
  const sentAt = psp().now();
  await psp().work();
  expect(await atPsp(charge.endToEndId)).toEqual({ status: 'EM_DEFESA', analysis, defence: 'Entregue ao pagador.' });
  expect(await theCase(charge.id)).toMatchObject({ state: 'answered', answerSentAt: sentAt, answerRejection: null });
  expect(await audited(id)).toEqual(['dispute.opened', 'dispute.answered', 'dispute.answer_sent']);
  await pass(MINUTE_MS);
  await sweep('disputes_recent');
  expect(await theCase(charge.id)).toMatchObject({ state });
  await pass(MINUTE_MS);
  await sweep('disputes_recent');
  expect(await balances()).toEqual(state === 'won' ? [10_051n, 0n, 0n] : [0n, 0n, 0n]);
});

test.each<Loss>(['answer', 'request'])(
  'when the %s of a call was lost, the PSP is asked about the case before the answer is sent again',
  async (loss) => {
    const charge = await paid(100.51);
    await pass(MINUTE_MS);
    await sweep('disputes_recent');
    const { id } = await theCase(charge.id);
    psp().lose([loss]);
    await contest(id);
    await psp().work();
    expect(await theCase(charge.id)).toMatchObject({ answerSentAt: null, answerAskedAt: psp().now() });
    // The PSP would reject the answer if it were sent a second time.
    if (loss === 'answer') await psp().setSwitch('pix.defence', 'rejected');
    psp().advance(MINUTE_MS / 2);
    await drainDueTasks(deps(), TASK_HANDLERS);
    expect(await theCase(charge.id)).toMatchObject({ answerSentAt: psp().now(), answerRejection: null });
    expect(await atPsp(charge.endToEndId)).toMatchObject({ status: 'EM_DEFESA' });
  },
);

test('an answer that several workers try to send is sent once, and noted as sent', async () => {
  const charge = await paid(100.51);
  await pass(MINUTE_MS);
  await sweep('disputes_recent');
  const { id } = await theCase(charge.id);
  await contest(id);
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => sendDisputeAnswer(deps(), id)));
  const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  for (const reason of reasons) expect(reason).toBeInstanceOf(ProviderUnavailable);
  expect(reasons.length).toBeLessThan(3);
  await sendDisputeAnswer(deps(), id);
  expect(await theCase(charge.id)).toMatchObject({ answerSentAt: psp().now(), answerRejection: null });
  expect(await audited(id)).toEqual(['dispute.opened', 'dispute.answered', 'dispute.answer_sent']);
});

test('an answer that the PSP rejects is noted as such on the case, in the audit and in the log', async () => {
  const charge = await paid(100.51);
  await pass(MINUTE_MS);
  await sweep('disputes_recent');
  const { id } = await theCase(charge.id);
  await psp().setSwitch('pix.defence', 'rejected');
  await contest(id);
  await psp().work();
  await psp().setSwitch('pix.defence', 'done');
  await psp().work();
  const { answerSentAt, answerRejection, state } = await theCase(charge.id);
  expect({ answerSentAt, state }).toEqual({ answerSentAt: null, state: 'answered' });
  expect(answerRejection).toContain('O prazo para defesa foi excedido.');
  expect((await audited(id)).at(-1)).toBe('dispute.answer_rejected');
  expect(
    psp()
      .service()
      .log.some((line) => line.includes('did not take the answer')),
  ).toBe(true);
});

test('an answer that the PSP rejected, or has no route for, is counted until the operator has forwarded it', async () => {
  const countOf = async (state: string) =>
    (await countOpenDisputes(deps())).find((one) => one.state === state && one.mode === 'test')?.count ?? 0;
  const before = { not_taken: await countOf('not_taken'), to_forward: await countOf('to_forward') };
  const rejected = await paid(100.51);
  await pass(MINUTE_MS);
  await sweep('disputes_recent');
  const { id } = await theCase(rejected.id);
  await psp().setSwitch('pix.defence', 'rejected');
  expect(await noteForwardedAnswer(deps(), { id, by })).toBe('not_answered');
  await contest(id);
  await psp().work();
  expect(await countOf('not_taken')).toBe(before.not_taken + 1);
  expect(await noteForwardedAnswer(deps(), { id, by })).toBe('forwarded');
  expect(await noteForwardedAnswer(deps(), { id, by })).toBe('not_answered');
  expect(await theCase(rejected.id)).toMatchObject({ answerSentAt: psp().now(), answerRejection: null });
  expect((await audited(id)).slice(-2)).toEqual(['dispute.answer_rejected', 'dispute.answer_sent']);

  const entered = await paid(20);
  await enterDispute(deps(), { chargeId: entered.id, reason: 'fraud', centavos: null, answerBy: null, by });
  const { rows } = await psp().pool.query<{ id: string }>('SELECT id FROM disputes WHERE transaction_id = $1', [
    entered.id,
  ]);
  const own = rows[0]?.id ?? '';
  await contest(own);
  expect(await countOf('to_forward')).toBe(before.to_forward + 1);
  expect(await noteForwardedAnswer(deps(), { id: own, by })).toBe('forwarded');
  expect([await countOf('not_taken'), await countOf('to_forward')]).toEqual([before.not_taken, before.to_forward]);
  expect(await noteForwardedAnswer(deps(), { id: '01999999-0000-7000-8000-000000000000', by })).toBe('unknown');
});

test('an answer that was given at the PSP first is not taken for the merchant’s', async () => {
  const charge = await paid(100.51);
  await pass(MINUTE_MS);
  await sweep('disputes_recent');
  await psp().pool.query(
    "UPDATE sandbox.disputes SET status = 'EM_DEFESA', answered_at = $1 WHERE end_to_end_id = $2",
    [psp().now(), charge.endToEndId],
  );
  await contest((await theCase(charge.id)).id);
  await psp().work();
  expect(await theCase(charge.id)).toMatchObject({
    answerSentAt: null,
    answerRejection: 'the case has an answer already, which was given at the PSP',
  });
});

test('an answer is noted as not taken when the PSP can’t be reached before the case’s deadline', async () => {
  const charge = await paid(100.51);
  await pass(MINUTE_MS);
  await sweep('disputes_recent');
  psp().lose(['request']);
  await contest((await theCase(charge.id)).id);
  await psp().work();
  await psp().setSwitch('pix.query', 'error');
  psp().advance(5 * DAY_MS + MINUTE_MS);
  await drainDueTasks(deps(), TASK_HANDLERS);
  expect(await theCase(charge.id)).toMatchObject({ answerRejection: 'the PSP was not reached in time' });
});
