import { expect } from 'vitest';
import { listAllReviews, resolveReview } from '#services/reviews/resolve-review.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import { chargePayout, listAllForeignPayouts, writeOffPayout } from '#services/unmatched/decide-foreign-payout.ts';
import {
  assignPayment,
  depositPayment,
  listUnmatchedPayments,
  returnPayment,
} from '#services/unmatched/decide-unmatched.ts';
import type { PspUnderTest } from '../psp-under-test.ts';

/** What waits for somebody, by kind, with its money. */
export async function waiting(psp: PspUnderTest): Promise<{ kind: string; count: string }[]> {
  const { rows } = await psp.pool.query<{ kind: string; count: string }>(
    `SELECT 'unmatched' AS kind, count(*) FROM unmatched_payments WHERE state IN ('open', 'returning') HAVING count(*) > 0
     UNION ALL SELECT 'sent at the bank', count(*) FROM foreign_payouts WHERE state = 'open' HAVING count(*) > 0
     UNION ALL SELECT 'review', count(*) FROM reviews WHERE resolved_at IS NULL HAVING count(*) > 0`,
  );
  return rows;
}

/** An operator decides about everything that waits, one way or another. */
export async function decideAll(
  psp: PspUnderTest,
  accountId: string,
  picks: readonly number[],
  seen: Set<string>,
  /** Whether nobody else decides meanwhile: then nothing is decided already. */
  { isAlone }: { isAlone: boolean },
): Promise<void> {
  const check = (outcome: string, wanted: readonly string[]) => {
    if (isAlone) expect(wanted).toContain(outcome);
  };
  const { deps } = psp.service();
  const by = byOperator('maria');
  const reason = 'as agreed';
  let next = 0;
  const pick = <T>(of: readonly T[]): T => of[(picks[next++ % picks.length] ?? 0) % of.length] as T;
  for (const { id } of await listUnmatchedPayments(deps, { waiting: true, accountId: null })) {
    const decision = { id, accountId: null, reason, by };
    const { rows } = await psp.pool.query<{ id: string }>(
      "SELECT id FROM transactions WHERE account_id = $1 AND type = 'pix_in' AND status IN ('pending', 'expired', 'cancelled')",
      [accountId],
    );
    const how = pick(rows[0] ? ['assign', 'deposit', 'return'] : ['deposit', 'return']);
    if (how === 'assign') {
      check(await assignPayment(deps, { ...decision, chargeId: rows[0]?.id ?? '' }), ['assigned']);
    } else if (how === 'deposit') {
      check(await depositPayment(deps, { ...decision, toAccountId: accountId }), ['deposited']);
    } else check(await returnPayment(deps, decision), ['returning']);
    seen.add(how);
  }
  for (const { id } of await listAllForeignPayouts(deps, { waiting: true, accountId: null })) {
    const how = pick(['write off', 'charge']);
    if (how === 'charge') {
      const decision = { id, accountId: null, toAccountId: accountId, reason, by };
      check(await chargePayout(deps, decision), ['charged']);
    } else check(await writeOffPayout(deps, { id, reason, by }), ['written_off']);
    seen.add(how);
  }
  for (const { id } of await listAllReviews(deps, { waiting: true })) {
    const review = (await listAllReviews(deps, { waiting: true })).find((one) => one.id === id);
    if (!review || (!isAlone && review.resolutions.length === 0)) continue;
    expect(review.resolutions).not.toEqual([]);
    const outcome = await resolveReview(deps, { id, resolution: pick(review.resolutions), reason, by });
    check(outcome, ['credited', 'returning', 'written_off', 'resolved']);
    seen.add('review');
  }
}

/** Whether an account owes, and the states of the cases that the PSP has, as kinds. */
export async function owing(psp: PspUnderTest): Promise<{ kind: string }[]> {
  const { rows } = await psp.pool.query<{ kind: string }>(
    `SELECT DISTINCT kind::text FROM ledger_accounts WHERE kind = 'owed' AND balance_centavos < 0
     UNION ALL SELECT DISTINCT 'case ' || state FROM disputes WHERE provider_id IS NOT NULL`,
  );
  return rows;
}
