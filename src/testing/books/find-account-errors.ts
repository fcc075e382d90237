import {
  CHARGE_TRANSITIONS,
  mayWithdrawalBecome,
  type WithdrawalStatus,
} from '#domain/transactions/transaction-states.ts';
import type { PspUnderTest } from '../psp-under-test.ts';

/** What the entries of a transaction have moved of its account's balances. */
const MOVED = `CROSS JOIN LATERAL (
    SELECT coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind <> 'blocked'), 0) AS free,
      coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind = 'blocked'), 0) AS blocked
    FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
      JOIN ledger_accounts a ON a.id = e.ledger_account_id AND a.account_id = x.account_id
    WHERE t.transaction_id = x.id AND`;

const ERRORS = `SELECT 'still ' || kind || ': ' || balance_centavos AS error FROM ledger_accounts
  WHERE account_id = ANY ($1) AND kind IN ('blocked', 'pending') AND balance_centavos <> 0
  UNION ALL
  SELECT x.type || ' ' || x.id || ', ' || x.status || ', has cost ' || -moved.free FROM transactions x
    ${MOVED} true) AS moved
  WHERE x.account_id = ANY ($1) AND x.type IN ('pix_out', 'crypto_out') AND CASE
    WHEN x.status IN ('paid', 'completed') THEN moved.free = -x.net_centavos - x.fee_centavos AND moved.blocked = 0
    WHEN x.status IN ('failed', 'cancelled') THEN moved.free = 0 AND moved.blocked = 0 END IS NOT true
  UNION ALL
  SELECT 'refund ' || r.id || ', ' || r.status || ', has cost ' || -moved.free
  FROM refunds r JOIN transactions x ON x.id = r.transaction_id ${MOVED} t.reference = r.id::text) AS moved
  WHERE x.account_id = ANY ($1)
    AND (moved.blocked <> 0 OR moved.free <> CASE r.status WHEN 'completed' THEN -r.centavos ELSE 0 END)
  UNION ALL
  SELECT 'charge ' || x.id || ', ' || x.status || ', has brought ' || moved.free FROM transactions x
    ${MOVED} t.kind = 'charge_paid') AS moved
  WHERE x.account_id = ANY ($1) AND x.type = 'pix_in'
    AND moved.free <> CASE WHEN x.status IN ('paid', 'refunded') THEN x.net_centavos ELSE 0 END
  UNION ALL
  SELECT 'split of ' || x.id || ', ' || x.status || ', has brought ' || moved.free FROM transactions x CROSS JOIN LATERAL (
    SELECT coalesce(sum(e.amount_centavos), 0) AS free
    FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
      JOIN ledger_accounts a ON a.id = e.ledger_account_id AND a.account_id = x.split_account_id
    WHERE t.transaction_id = x.id) AS moved
  WHERE x.account_id = ANY ($1) AND x.split_account_id IS NOT NULL AND NOT (
    moved.free = CASE WHEN x.status IN ('paid', 'refunded') THEN x.split_centavos ELSE 0 END
    AND moved.free = coalesce((SELECT sum(p.amount_centavos) FROM transactions p WHERE p.split_of_id = x.id
      AND p.account_id = x.split_account_id), 0))`;

const EVENTS = `SELECT x.id, x.type, x.status, array_agg(substr(e.type, length(x.type::text) + 2) ORDER BY e.id)
    FILTER (WHERE e.type LIKE x.type || '.%') AS said
  FROM transactions x LEFT JOIN events e ON e.transaction_id = x.id
  WHERE x.account_id = ANY ($1) AND x.type IN ('pix_in', 'pix_out', 'crypto_out') GROUP BY x.id`;

type Reported = { id: string; type: 'pix_in' | 'pix_out' | 'crypto_out'; status: string; said: string[] | null };
type Account = { id: string; apiKey: string };

/**
 * What is wrong with accounts in which nothing is under way: money that is still held, withdrawals,
 * refunds and charges that have moved another amount than they say, events that their states do not
 * allow, and a balance that is not that of the entries.
 */
export async function findAccountErrors(psp: PspUnderTest, accounts: readonly Account[]): Promise<string[]> {
  const ids = accounts.map(({ id }) => id);
  const { rows: moved } = await psp.pool.query<{ error: string }>(ERRORS, [ids]);
  const { rows: reported } = await psp.pool.query<Reported>(EVENTS, [ids]);
  const balances = await Promise.all(accounts.map((account) => findBalanceError(psp, account)));
  return [
    ...moved.map(({ error }) => error),
    ...reported
      .filter((one) => !isInOrder(one))
      .map(({ id, type, status, said }) => `${type} ${id}, ${status}, says ${said?.join(' ')}`),
    ...balances.filter((error) => error !== null),
  ];
}

/** Whether the events lead by legal changes to the status, each of them once. */
function isInOrder({ type, status, said }: Reported): boolean {
  let reached = 'pending';
  for (const next of said ?? []) {
    // A second payment is reviewed, and a part refunded, without another status.
    if (type === 'pix_in' && (next === 'refunded' || next === 'refund_failed')) continue;
    if (type === 'pix_in' && next === 'review' && reached === 'paid') continue;
    if (type === 'pix_in' && next === 'review' && reached === 'review') continue;
    if (!mayBecome(type, reached, next)) return false;
    reached = next;
  }
  return reached === (status === 'refunded' ? 'paid' : status);
}

const mayBecome = (type: Reported['type'], from: string, to: string): boolean =>
  type === 'pix_in'
    ? Object.entries(CHARGE_TRANSITIONS).some(([before, after]) => before === from && after.some((one) => one === to))
    : mayWithdrawalBecome(type, from as WithdrawalStatus, to as WithdrawalStatus);

async function findBalanceError(psp: PspUnderTest, { id, apiKey }: Account): Promise<string | null> {
  const { status, body } = await psp.service().get('/payments/balance', apiKey);
  // Its keys are rejected.
  if (status === 403) return null;
  const { available_balance: shown } = body.data as { available_balance: number };
  const { rows } = await psp.pool.query<{ centavos: string | null }>(
    `SELECT sum(e.amount_centavos) AS centavos FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id
     WHERE a.account_id = $1 AND a.kind = 'available'`,
    [id],
  );
  const centavos = Number(rows[0]?.centavos ?? 0);
  return Math.round(shown * 100) === centavos ? null : `account ${id} shows ${shown} and has ${centavos} centavos`;
}
