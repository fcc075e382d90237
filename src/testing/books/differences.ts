import { checkLedger } from '#db/ledger/check-ledger.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { listDayItems, listReconciliation } from '#services/reconciliation/list-reconciliation.ts';
import { planReconciliation } from '#services/reconciliation/plan-reconciliation.ts';
import { requestReconciliation } from '#services/reconciliation/request-reconciliation.ts';
import type { PspUnderTest } from '../psp-under-test.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Every movement at the PSP that our books lack. */
const HOMELESS = `SELECT 'payment ' || p.end_to_end_id AS movement FROM sandbox.payments p
  WHERE NOT EXISTS (SELECT FROM transactions x WHERE x.end_to_end_id = p.end_to_end_id)
    AND NOT EXISTS (SELECT FROM unmatched_payments u WHERE u.end_to_end_id = p.end_to_end_id)
    AND NOT EXISTS (SELECT FROM reviews r WHERE r.end_to_end_id = p.end_to_end_id)
  UNION ALL
  SELECT 'devolução ' || r.return_id FROM sandbox.refunds r WHERE r.status = 'DEVOLVIDO'
    AND NOT EXISTS (SELECT FROM refunds o WHERE replace(o.id::text, '-', '') = r.id AND o.status = 'completed')
    AND NOT EXISTS (SELECT FROM payment_returns o WHERE replace(o.id::text, '-', '') = r.id AND o.status = 'completed')
    AND NOT EXISTS (SELECT FROM foreign_refunds o WHERE (o.end_to_end_id, o.refund_id) = (r.end_to_end_id, r.id))
  UNION ALL
  SELECT 'payout ' || s.end_to_end_id FROM sandbox.payouts s WHERE s.status = 'REALIZADO'
    AND NOT EXISTS (SELECT FROM transactions x WHERE replace(x.id::text, '-', '') = s.id_envio AND x.status = 'paid')
    AND NOT EXISTS (SELECT FROM foreign_payouts f WHERE f.end_to_end_id = s.end_to_end_id)`;

/** Every dispute at the PSP whose state differs in our books. */
const ASTRAY = `SELECT 'case of ' || d.end_to_end_id || ', ' || d.status || ' at the PSP and here '
    || coalesce(o.state::text, 'not there') AS movement
  FROM sandbox.disputes d JOIN transactions x ON x.end_to_end_id = d.end_to_end_id
  LEFT JOIN disputes o ON o.provider_id = d.id
  WHERE x.status IN ('paid', 'refunded') AND CASE d.status WHEN 'ACEITA' THEN o.state IN ('lost', 'returned')
    WHEN 'REJEITADA' THEN o.state IN ('won', 'returned') WHEN 'CANCELADA_EFI' THEN o.state IN ('cancelled', 'returned')
    END IS NOT true`;

const SETTLEMENT = `SELECT -coalesce(sum(e.amount_centavos), 0)::bigint AS centavos FROM ledger_entries e
  JOIN ledger_accounts a ON a.id = e.ledger_account_id WHERE a.kind = 'pix_settlement'`;
const AT_PSP = `SELECT ((SELECT coalesce(sum(amount_centavos), 0) FROM sandbox.payments)
  - (SELECT coalesce(sum(amount_centavos), 0) FROM sandbox.refunds WHERE status = 'DEVOLVIDO')
  - (SELECT coalesce(sum(amount_centavos), 0) FROM sandbox.payouts WHERE status = 'REALIZADO'))::bigint AS centavos`;

/** The differences between the PSP's books and ours, and the errors within ours. */
export async function findDifferences(psp: PspUnderTest): Promise<string[]> {
  const { rows: homeless } = await psp.pool.query<{ movement: string }>(HOMELESS);
  const { rows: astray } = await psp.pool.query<{ movement: string }>(ASTRAY);
  const [ours, theirs] = await Promise.all(
    [SETTLEMENT, AT_PSP].map(async (sql) => (await psp.pool.query<{ centavos: string }>(sql)).rows[0]?.centavos),
  );
  const { rows: negative } = await psp.pool.query<{ id: string }>(
    "SELECT id FROM ledger_accounts WHERE balance_centavos < 0 AND kind <> 'owed'",
  );
  const { discrepancies } = await checkLedger(psp.service().deps.db.pool);
  return [
    ...homeless.map(({ movement }) => `${movement} has no place in our books`),
    ...astray.map(({ movement }) => movement),
    ...(ours === theirs ? [] : [`our books have ${Number(ours) - Number(theirs)} more than the PSP's`]),
    ...negative.map(({ id }) => `ledger account ${id} is below zero`),
    ...discrepancies.map(({ rule, detail }) => `${rule}: ${detail}`),
  ];
}

/**
 * Has the service compare all days, and today up to now. Returns where they differ, and how many
 * are explained by another day.
 */
export async function reconcile(
  psp: PspUnderTest,
): Promise<{ differing: string[]; explained: number; sentInCoins: boolean }> {
  const { deps } = psp.service();
  await planReconciliation(deps);
  // Days that were missed are compared one a minute.
  psp.advance(20 * MINUTE_MS);
  await psp.work();
  psp.advance(1_000);
  const today = dateInSaoPaulo(psp.now());
  await requestReconciliation(deps, { day: today, rail: null });
  await psp.work();
  const days = await listReconciliation(deps, { accountId: null });
  const yesterday = dateInSaoPaulo(new Date(psp.now().getTime() - DAY_MS));
  const differing: string[] = [];
  for (const { id, currency, day, checkedAt, unexplainedAmount, unreadable } of days) {
    // Yesterday is compared at half past three.
    if (!checkedAt && day === yesterday) continue;
    if (checkedAt && unexplainedAmount === 0n && unreadable === 0) continue;
    const items = (await listDayItems(deps, { dayId: id, accountId: null })).filter((one) => one.unexplainedAmount);
    differing.push(
      [
        `${day}${currency === 'BRL' ? '' : ` in ${currency}`}`,
        ...items.map(({ why, kind, key }) => `${why}: ${kind} ${key}`),
      ].join(', '),
    );
  }
  const pix = days.find(({ currency }) => currency === 'BRL');
  if (pix?.theirs.closingAmount !== pix?.ours.closingAmount) differing.push('the closings of today');
  const explained = days.filter((one) => one.explainedAmount !== 0n).length;
  return { differing, explained, sentInCoins: days.some((one) => one.oursCentavos && one.oursCentavos.sent > 0n) };
}
