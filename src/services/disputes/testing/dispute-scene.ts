import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { DisputeRow } from '#db/disputes/disputes.ts';
import { findDisputeAtPsp } from '#db/disputes/disputes-at-psp.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { findBalances } from '#db/ledger/ledger.ts';
import { type PspUnderTest, startPspUnderTest } from '#testing/psp-under-test.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { planSweeps, runSweep } from '../../sweeps/sweep-payments.ts';
import { byOperator } from '../../unmatched/by-operator.ts';
import { giveAnswer } from '../manage-disputes.ts';

/**
 * A PSP with cases (MED) and a service beside it for the tests of a file, each with an account of
 * its own.
 */
export function disputeScene() {
  let running: PspUnderTest;
  let current: { id: string; apiKey: string };
  const psp = () => running;
  const account = () => current;
  async function openAccount(): Promise<void> {
    const { accountId, apiKey } = await running.service().openAccount({ kycStatus: 'approved' });
    current = { id: accountId, apiKey: apiKey ?? '' };
  }
  beforeAll(async () => {
    running = await startPspUnderTest();
    await planSweeps(running.service().deps);
    // The tests run the sweeps themselves.
    await running.pool.query("DELETE FROM tasks WHERE kind = 'sweep'");
  });
  beforeEach(async () => {
    const switches = { 'pix.defence': 'done', 'pix.psp_acts': 'none', 'pix.query': 'ok' };
    for (const [name, value] of Object.entries(switches)) await running.setSwitch(name, value);
    await openAccount();
  });
  afterEach(async () => {
    expect((await checkLedger(deps().db.pool)).discrepancies).toEqual([]);
  });
  afterAll(() => running.stop());

  const deps = () => psp().service().deps;
  /** Advances the clock and does what is due at the PSP. The service does nothing by itself. */
  async function pass(ms: number) {
    psp().advance(ms);
    await psp().drain();
  }
  /** Runs the sweeps of a span, page by page. */
  async function sweep(...spans: string[]) {
    for (const span of spans) {
      const { rows } = await psp().pool.query<{ id: string }>('SELECT id FROM sweeps WHERE span = $1', [span]);
      for (const { id } of rows) {
        for (let due = psp().now(); due <= psp().now(); ) due = (await runSweep(deps(), id)) ?? new Date(8.64e15);
      }
    }
  }

  /** A paid charge. */
  async function paid(amount: number, more: object = {}): Promise<{ id: string; endToEndId: string }> {
    const created = await psp()
      .service()
      .post('/payments/transactions', account().apiKey, { amount, ...more });
    const id = transactionIdOf(created);
    await deps().sandbox?.pay({ txid: id.replaceAll('-', ''), force: false });
    await psp().work();
    const { rows } = await psp().pool.query<{ e2e: string }>(
      'SELECT end_to_end_id AS e2e FROM transactions WHERE id = $1',
      [id],
    );
    return { id, endToEndId: rows[0]?.e2e ?? '' };
  }

  const casesOf = async (transactionId: string): Promise<DisputeRow[]> => {
    const { rows } = await psp().pool.query<{ id: string; provider_id: string | null }>(
      'SELECT id, provider_id FROM disputes WHERE transaction_id = $1 ORDER BY id',
      [transactionId],
    );
    return Promise.all(
      rows.map(async ({ provider_id }) => (await findDisputeAtPsp(deps().db.pool, String(provider_id))) as DisputeRow),
    );
  };
  const theCase = async (transactionId: string): Promise<DisputeRow> => {
    const [found, ...others] = await casesOf(transactionId);
    expect(others).toEqual([]);
    if (!found) throw new Error('There is no case.');
    return found;
  };
  const atPsp = async (endToEndId: string) => {
    const { rows } = await psp().pool.query(
      'SELECT status, analysis, defence FROM sandbox.disputes WHERE end_to_end_id = $1',
      [endToEndId],
    );
    return rows[0];
  };
  const balances = async () => {
    const found = await findBalances(deps().db.pool, account().id);
    return found && [found.availableCentavos, found.blockedCentavos, found.owedCentavos];
  };
  const eventsOf = async (id: string) => {
    const { rows } = await psp().pool.query<{ type: string }>(
      "SELECT type FROM events WHERE transaction_id = $1 AND type LIKE 'dispute.%'",
      [id],
    );
    return rows.map(({ type }) => type).sort();
  };
  const audited = async (disputeId: string) => {
    const { rows } = await psp().pool.query<{ action: string }>(
      "SELECT action FROM audit_records WHERE details ->> 'dispute_id' = $1 ORDER BY id",
      [disputeId],
    );
    return rows.map(({ action }) => action);
  };
  const contest = (id: string, answer: 'contest' | 'agree' = 'contest') =>
    giveAnswer(deps(), { id, accountId: account().id, answer, text: 'Entregue ao pagador.', by: byOperator('ana') });

  return {
    psp,
    account,
    openAccount,
    deps,
    pass,
    sweep,
    paid,
    theCase,
    atPsp,
    balances,
    eventsOf,
    audited,
    contest,
  };
}
