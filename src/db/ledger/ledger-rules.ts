import { unitStep } from '#domain/quotes/crypto-units.ts';
import { CURRENCIES } from '#domain/quotes/currencies.ts';
import { NIGHT_END_HOUR, NIGHT_START_HOUR } from '#domain/values/business-day.ts';

/** The least quantity of the network with the fewest decimals: each rounds to its own. */
const LARGEST_STEP = unitStep(Math.min(...Object.values(CURRENCIES).map(({ decimals }) => decimals)));

/**
 * Withdrawals are looked up by limit: each period has few. A payout that was sent in the bank's
 * application has no key, was not requested here and uses no limit; a scheduled one uses it when it
 * begins.
 */
const LIMIT_USE = `SELECT format('account %s has used %s of its %s limit of %s from %s, its withdrawals come to %s', u.account_id, u.centavos,
        u.period, u.type, u.starts_at, x.centavos) AS detail
      FROM limit_usage u CROSS JOIN LATERAL (
        SELECT coalesce(sum(t.amount_centavos), 0) AS centavos FROM transactions t
        WHERE t.account_id = u.account_id AND t.type = u.type AND t.type IN ('pix_out', 'crypto_out')
          AND (t.scheduled_for IS NULL AND t.created_at >= u.starts_at AND t.created_at < u.ends_at
            OR t.begun_at >= u.starts_at AND t.begun_at < u.ends_at) AND t.status <> 'failed'
          AND (t.type = 'crypto_out' OR t.pix_key IS NOT NULL)) AS x
      WHERE u.centavos <> x.centavos`;

/** What is open is little, and is looked up by account. */
const BLOCKED = `SELECT format('account %s has %s blocked, %s are held', a.account_id, a.balance_centavos, hold.centavos) AS detail
      FROM ledger_accounts a CROSS JOIN LATERAL (
        SELECT coalesce(sum(centavos), 0) AS centavos FROM (
          SELECT net_centavos + fee_centavos AS centavos FROM transactions
          WHERE account_id = a.account_id AND type IN ('pix_out', 'crypto_out') AND status IN ('pending', 'processing')
            AND (scheduled_for IS NULL OR begun_at IS NOT NULL OR ledger_is_posted(id, 'withdrawal_requested'))
          UNION ALL
          SELECT f.centavos FROM refunds f JOIN transactions x ON x.id = f.transaction_id
          WHERE f.status = 'pending' AND x.account_id = a.account_id
          UNION ALL
          SELECT held_centavos FROM disputes
          WHERE account_id = a.account_id AND state IN ('open', 'answered', 'lost')) AS held
      ) AS hold
      WHERE a.kind = 'blocked' AND a.balance_centavos <> hold.centavos`;

/** Whatever is added to an account pays first what it owes. Few accounts owe. */
const OWED = `SELECT format('account %s owes %s and has %s available', o.account_id, -o.balance_centavos, a.balance_centavos) AS detail
      FROM ledger_accounts o JOIN ledger_accounts a ON a.account_id = o.account_id AND a.kind = 'available'
      WHERE o.kind = 'owed' AND o.balance_centavos < 0 AND a.balance_centavos > 0`;

/**
 * Of the accounts that ever had credentials of their own, and those that got a part of what came
 * over them, all of it: no checkpoint keeps the sums so far.
 */
const OWN = `SELECT format('account %s stores %s of its %s balance as held over own credentials, their entries sum to %s', a.account_id,
        a.own_centavos, a.kind, coalesce(own.centavos, 0)) AS detail
      FROM ledger_accounts a LEFT JOIN (
        SELECT l.account_id, sum(e.amount_centavos) AS centavos
        FROM transactions x JOIN ledger_transfers t ON t.transaction_id = x.id JOIN ledger_entries e ON e.transfer_id = t.id
          JOIN ledger_accounts l ON l.id = e.ledger_account_id AND l.kind IN ('available', 'owed')
        WHERE is_own_rail(x.rail) AND x.account_id IN (SELECT account_id FROM credentials)
        GROUP BY l.account_id) AS own ON own.account_id = a.account_id AND a.kind = 'available'
      WHERE a.own_centavos <> coalesce(own.centavos, 0)`;

/**
 * What is open is little, and is looked up by account: a task may be lost long after what it is for
 * was proved.
 */
const TASKS = `SELECT format('%s %s is %s and has no task %s', what, id, status, kind) AS detail
      FROM (
        SELECT 'transaction' AS what, x.id, x.status::text, CASE WHEN x.type = 'pix_in' THEN 'sync_charge'
          WHEN x.type = 'crypto_in' THEN 'sync_invoice' WHEN x.sub_status = 'scheduled' THEN 'scheduled_payout'
          WHEN x.sub_status = 'pending_approval' THEN 'expire_approval' ELSE 'payout' END AS kind
        FROM accounts a CROSS JOIN LATERAL (
          SELECT * FROM transactions WHERE account_id = a.id AND type IN ('pix_in', 'pix_out', 'crypto_in', 'crypto_out')
            AND status IN ('pending', 'processing') OFFSET 0) AS x
        UNION ALL SELECT 'refund', id, status::text, 'refund' FROM refunds WHERE status = 'pending'
        UNION ALL SELECT 'return', id, status::text, 'return_payment' FROM payment_returns WHERE status = 'pending') AS open
      WHERE NOT EXISTS (SELECT FROM tasks WHERE kind = open.kind AND subject_id = open.id)`;

/** Both are few: what was ever in suspense, and what still waits. */
const SUSPENSE = `SELECT format('%s has %s in suspense, %s wait for a decision', a.mode, coalesce(posted.centavos, 0),
        coalesce(waiting.centavos, 0)) AS detail
      FROM ledger_accounts a
        LEFT JOIN LATERAL (SELECT sum(amount_centavos) AS centavos FROM ledger_entries WHERE ledger_account_id = a.id) AS posted ON true
        LEFT JOIN LATERAL (
          SELECT sum(centavos) AS centavos FROM (
            SELECT r.received_centavos - r.returned_centavos AS centavos
            FROM reviews r JOIN public.transactions x ON x.id = r.transaction_id JOIN accounts o ON o.id = x.account_id
            WHERE r.resolved_at IS NULL AND o.mode = a.mode
            UNION ALL
            SELECT centavos - returned_centavos FROM unmatched_payments
            WHERE state IN ('open', 'returning') AND mode = a.mode
            UNION ALL
            SELECT -centavos FROM foreign_payouts WHERE state = 'open' AND mode = a.mode) AS open) AS waiting ON true
      WHERE a.kind = 'suspense' AND coalesce(posted.centavos, 0) <> coalesce(waiting.centavos, 0)`;

const TOTALS = `SELECT format('account %s: the %s from %s has %s %s too many, of %s, fees %s, splits %s, pending %s', account_id, unit, starts_at,
        sum(count), kind, sum(gross), sum(fee), sum(split), sum(pending)) AS detail
      FROM (
        SELECT t.account_id, t.unit, t.starts_at, t.kind, t.count, t.gross_centavos AS gross, t.fee_centavos AS fee,
          t.split_centavos AS split, t.pending_centavos AS pending, p.sealed_until
        FROM account_totals t CROSS JOIN totals_progress p
        UNION ALL
        SELECT m.account_id, u.unit, date_trunc(u.unit::text, m.at, 'America/Sao_Paulo'), m.kind, -m.count, -m.gross, -m.fee, -m.split,
          -m.pending, p.sealed_until
        FROM (
          SELECT account_id, at, kind, count, gross_centavos AS gross, fee_centavos AS fee, split_centavos AS split,
            pending_centavos AS pending FROM account_movements
          UNION ALL SELECT account_id, at, kind, count, 0, 0, 0, 0 FROM account_outcomes
        ) AS m CROSS JOIN unnest(enum_range(NULL::total_unit)) AS u (unit) CROSS JOIN totals_progress p
      ) AS compared
      WHERE starts_at < CASE unit WHEN 'hour' THEN sealed_until ELSE date_trunc('day', sealed_until, 'America/Sao_Paulo') END
      GROUP BY account_id, unit, starts_at, kind
      HAVING (sum(count), sum(gross), sum(fee), sum(split), sum(pending)) <> (0, 0, 0, 0, 0)`;

/**
 * What each kind of transfer moves money between, by the type of its transaction; null: it has
 * none. What comes in to an account pays first what it owes. A payment may wait in suspense before
 * it is decided about, or have been written off.
 */
const KINDS = `LEFT JOIN (VALUES
        ('charge_paid', 'pix_in', '{pix_settlement,suspense,fees,available,owed}'),
        ('suspense', 'pix_in', '{pix_settlement,suspense}'),
        ('suspense', 'crypto_in', '{crypto_settlement,suspense}'),
        ('review_credited', 'crypto_in', '{suspense,fees,available,owed}'),
        ('review_returned', 'pix_in', '{suspense,write_offs,pix_settlement}'),
        ('review_written_off', 'pix_in', '{suspense,write_offs}'),
        ('review_written_off', 'crypto_in', '{suspense,write_offs}'),
        ('crypto_received', 'crypto_in', '{crypto_settlement,fees,pending,available,owed}'),
        ('refund_requested', 'pix_in', '{available,blocked}'),
        ('refund_completed', 'pix_in', '{blocked,pix_settlement}'),
        ('refund_failed', 'pix_in', '{blocked,available,owed}'),
        ('foreign_refund', 'pix_in', '{available,owed,blocked,pix_settlement}'),
        ('dispute', 'pix_in', '{available,blocked}'),
        ('dispute_released', 'pix_in', '{blocked,available,owed}'),
        ('withdrawal_requested', 'pix_out', '{available,blocked}'),
        ('withdrawal_requested', 'crypto_out', '{available,blocked}'),
        ('withdrawal_failed', 'pix_out', '{blocked,available,owed}'),
        ('withdrawal_failed', 'crypto_out', '{blocked,available,owed}'),
        ('withdrawal_completed', 'pix_out', '{blocked,fees,pix_settlement,suspense,write_offs}'),
        ('withdrawal_completed', 'crypto_out', '{blocked,fees,crypto_settlement}'),
        ('withdrawal_recovered', 'pix_out', '{available,owed,fees,pix_settlement,suspense}'),
        ('withdrawal_recovered', 'crypto_out', '{available,owed,fees,crypto_settlement}'),
        ('withdrawal_returned', 'pix_out', '{available,owed,fees,pix_settlement}'),
        ('withdrawal_returned', 'crypto_out', '{available,owed,fees,crypto_settlement}'),
        ('withdrawal_written_off', 'pix_out', '{pix_settlement,suspense,write_offs}'),
        ('withdrawal_written_off', 'crypto_out', '{crypto_settlement,write_offs}'),
        ('foreign_payout_charged', 'pix_out', '{available,owed,suspense}'),
        ('unmatched', NULL, '{pix_settlement,suspense}'),
        ('unmatched_returned', NULL, '{suspense,write_offs,pix_settlement}'),
        ('foreign_payout', NULL, '{suspense,pix_settlement}'),
        ('foreign_payout_written_off', NULL, '{suspense,write_offs}')) AS k (kind, type, accounts)`;

/**
 * What is booked beside a transaction, or as a part of it, under a reference: a payment without a
 * charge, money that left without a request, what went back of a payment that the service did not
 * ask for or that was never credited, and what was decided about a review. `centavos` null: what
 * was left of it then.
 */
const REFERRED = `FROM (SELECT 'unmatched' AS kind, NULL::uuid AS transaction_id, id::text AS reference, centavos FROM unmatched_payments
        UNION ALL SELECT 'foreign_payout', NULL, id::text, centavos FROM foreign_payouts
        UNION ALL SELECT 'foreign_payout_written_off', NULL, p.id::text, p.centavos FROM foreign_payouts p
          WHERE p.state = 'written_off'
            AND NOT EXISTS (SELECT FROM public.reviews r WHERE r.foreign_payout_id = p.id AND r.resolution = 'write_off')
        UNION ALL SELECT 'foreign_refund', transaction_id, id::text, centavos FROM foreign_refunds WHERE transaction_id IS NOT NULL
        UNION ALL SELECT 'review_returned', r.transaction_id, f.id::text, f.centavos
          FROM public.foreign_refunds f JOIN reviews r ON r.id = f.review_id
        UNION ALL SELECT 'unmatched_returned', NULL, id::text, centavos FROM public.foreign_refunds WHERE unmatched_id IS NOT NULL
        UNION ALL SELECT 'review_returned', r.transaction_id, b.id::text, b.centavos
          FROM payment_returns b JOIN reviews r ON r.id = b.review_id WHERE b.status = 'completed'
        UNION ALL SELECT 'unmatched_returned', NULL, id::text, centavos
          FROM payment_returns WHERE unmatched_id IS NOT NULL AND status = 'completed'
        UNION ALL SELECT 'review_written_off', r.transaction_id, r.end_to_end_id, NULL
          FROM reviews r JOIN transactions x ON x.id = r.transaction_id
          WHERE r.resolution = 'write_off' AND x.type IN ('pix_in', 'crypto_in')
        UNION ALL SELECT 'review_credited', r.transaction_id, r.end_to_end_id, r.received_centavos
          FROM reviews r JOIN transactions x ON x.id = r.transaction_id WHERE r.resolution = 'credit' AND x.type = 'crypto_in'
        UNION ALL SELECT CASE r.resolution WHEN 'write_off' THEN 'withdrawal_written_off' WHEN 'credit' THEN 'withdrawal_returned'
            ELSE 'withdrawal_recovered' END, r.transaction_id, r.id::text,
            CASE r.resolution WHEN 'write_off' THEN x.net_centavos ELSE x.net_centavos + x.fee_centavos END
          FROM reviews r JOIN transactions x ON x.id = r.transaction_id
          WHERE r.resolution IN ('write_off', 'credit', 'recover') AND x.type IN ('pix_out', 'crypto_out')) AS r`;

const PLACES = (
  which: string,
) => `SELECT format('transfer %s (%s of transaction %s) has entries in %s', t.id, t.kind, t.transaction_id,
        string_agg(a.kind::text, ', ' ORDER BY a.kind::text)) AS detail
      FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id JOIN ledger_accounts a ON a.id = e.ledger_account_id
        ${KINDS} ON k.kind = t.kind AND k.type IS NOT DISTINCT FROM t.type::text
      WHERE ${which} AND (a.kind::text = ANY (k.accounts::text[])) IS NOT true GROUP BY t.id, t.kind, t.transaction_id`;

/** SQL expressions for what a check since another one covers. */
type SinceNames = {
  /** The transactions that have changed. */
  changed: string;
  /** The last transfer that was proved. */
  transfer: string;
  /** The last entry that was proved. */
  entry: string;
  /** The beginning of the day from which totals are not proved. */
  day: string;
  /** The last transfer of the chains that are proved. */
  chained: string;
  /** The last audit record that is proved. */
  audited: string;
};

/**
 * Each query yields one row a discrepancy, with a `detail`. `sinceSql` replaces `sql` where an
 * earlier check has proved what is older. A rule without it is about single transactions: `sql`
 * then runs on the changed ones alone (changedOnes).
 */
export type LedgerRule = { rule: string; sql: string; sinceSql?: (names: SinceNames) => string };

export const RULES: LedgerRule[] = [
  {
    rule: 'every transfer sums to zero',
    sql: `SELECT format('transfer %s (%s of transaction %s) sums to %s', t.id, t.kind, t.transaction_id, coalesce(sum(e.amount_centavos), 0)) AS detail
      FROM ledger_transfers t LEFT JOIN ledger_entries e ON e.transfer_id = t.id
      GROUP BY t.id, t.kind, t.transaction_id HAVING coalesce(sum(e.amount_centavos), 0) <> 0`,
  },
  {
    rule: 'every stored balance is the sum of its entries',
    sql: `SELECT format('ledger account %s (%s of account %s) stores %s with %s of credits at version %s, its %s entries sum to %s with %s', a.id,
        a.kind, a.account_id, a.balance_centavos, a.credit_centavos, a.version, count(e.id), coalesce(sum(e.amount_centavos), 0),
        coalesce(sum(e.amount_centavos) FILTER (WHERE e.amount_centavos > 0), 0)) AS detail
      FROM ledger_accounts a LEFT JOIN ledger_entries e ON e.ledger_account_id = a.id
      WHERE a.balance_centavos IS NOT NULL GROUP BY a.id
      HAVING a.balance_centavos <> coalesce(sum(e.amount_centavos), 0) OR a.version <> count(e.id)
        OR (a.balance_centavos < 0) <> (a.kind = 'owed' AND a.balance_centavos <> 0)
        OR a.credit_centavos <> coalesce(sum(e.amount_centavos) FILTER (WHERE e.amount_centavos > 0), 0)`,
    // Each entry follows the one before it, so that the last one has the sums of all.
    sinceSql:
      () => `SELECT format('ledger account %s (%s of account %s) stores %s with %s of credits at version %s, its last entry says %s with %s at %s',
        a.id, a.kind, a.account_id, a.balance_centavos, a.credit_centavos, a.version, coalesce(e.balance_after_centavos, 0),
        coalesce(e.credit_after_centavos, 0), coalesce(e.version, 0)) AS detail
      FROM ledger_accounts a LEFT JOIN LATERAL (
        SELECT * FROM ledger_entries WHERE ledger_account_id = a.id ORDER BY version DESC LIMIT 1) AS e ON true
      WHERE a.balance_centavos IS NOT NULL AND (a.balance_centavos, a.credit_centavos, a.version)
        <> (coalesce(e.balance_after_centavos, 0), coalesce(e.credit_after_centavos, 0), coalesce(e.version, 0))`,
  },
  {
    rule: 'every entry follows the one before it',
    sql: `SELECT format('entry %s of ledger account %s: version %s after %s, balance %s after %s, credits %s after %s, and %s', id, ledger_account_id,
        version, version_before, balance_after_centavos, balance_before, credit_after_centavos, credit_before, amount_centavos) AS detail
      FROM (SELECT id, ledger_account_id, version, balance_after_centavos, credit_after_centavos, amount_centavos,
          lag(balance_after_centavos, 1, 0::bigint) OVER w AS balance_before, lag(credit_after_centavos, 1, 0::bigint) OVER w AS credit_before,
          lag(version, 1, 0::bigint) OVER w AS version_before
        FROM ledger_entries WHERE version IS NOT NULL WINDOW w AS (PARTITION BY ledger_account_id ORDER BY version)) AS chain
      WHERE balance_before + amount_centavos <> balance_after_centavos OR version_before + 1 <> version
        OR credit_before + greatest(amount_centavos, 0) <> credit_after_centavos`,
    sinceSql: ({
      entry,
    }) => `SELECT format('entry %s of ledger account %s: version %s after %s, balance %s after %s, credits %s after %s, and %s', e.id,
        e.ledger_account_id, e.version, p.version, e.balance_after_centavos, p.balance_after_centavos, e.credit_after_centavos,
        p.credit_after_centavos, e.amount_centavos) AS detail
      FROM ledger_entries e LEFT JOIN ledger_entries p ON p.ledger_account_id = e.ledger_account_id AND p.version = e.version - 1
      WHERE e.id > ${entry} AND e.version IS NOT NULL AND (p.id IS NULL AND e.version <> 1
        OR coalesce(p.balance_after_centavos, 0) + e.amount_centavos <> e.balance_after_centavos
        OR coalesce(p.credit_after_centavos, 0) + greatest(e.amount_centavos, 0) <> e.credit_after_centavos)`,
  },
  {
    rule: 'test and live money never meet in one transfer',
    sql: `SELECT format('transfer %s touches both modes', e.transfer_id) AS detail
      FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id
      GROUP BY e.transfer_id HAVING count(DISTINCT a.mode) > 1`,
  },
  {
    rule: 'money moves between the accounts of its transaction and the platform',
    sql: `SELECT format('entry %s of transaction %s is in ledger account %s of account %s', e.id, x.id, a.id, a.account_id) AS detail
      FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id
        JOIN ledger_transfers t ON t.id = e.transfer_id JOIN transactions x ON x.id = t.transaction_id
      WHERE a.account_id <> x.account_id AND a.account_id IS DISTINCT FROM x.split_account_id`,
  },
  {
    // Parts have no amount in the transaction: a suspended payment has its review's, a refund its
    // own, the others only have to be something.
    rule: 'every transfer moves what its transaction says',
    sql: `SELECT format('transfer %s (%s of transaction %s) moves %s instead of %s', id, kind, transaction_id, moved,
        coalesce(stated::text, 'something')) AS detail
      FROM (SELECT t.id, t.kind, t.transaction_id,
          coalesce(sum(e.amount_centavos) FILTER (WHERE e.amount_centavos > 0), 0) AS moved,
          CASE WHEN t.kind = 'charge_paid' THEN x.amount_centavos WHEN t.kind = 'suspense' THEN r.received_centavos
            WHEN t.kind LIKE 'refund_%' THEN coalesce(f.centavos, 0) WHEN t.kind = 'foreign_refund' THEN coalesce(b.centavos, 0)
            WHEN t.kind IN ('crypto_received', 'dispute', 'dispute_released', 'review_credited', 'review_returned', 'review_written_off',
              'withdrawal_written_off') THEN NULL
            ELSE x.net_centavos + x.fee_centavos END AS stated
        FROM ledger_transfers t JOIN transactions x ON x.id = t.transaction_id
          LEFT JOIN ledger_entries e ON e.transfer_id = t.id
          LEFT JOIN reviews r ON t.kind = 'suspense' AND r.transaction_id = t.transaction_id AND r.end_to_end_id = t.reference
          LEFT JOIN refunds f ON t.kind LIKE 'refund_%' AND f.transaction_id = t.transaction_id AND f.id::text = t.reference
          LEFT JOIN foreign_refunds b ON t.kind = 'foreign_refund' AND b.transaction_id = t.transaction_id AND b.id::text = t.reference
        GROUP BY t.id, t.kind, t.transaction_id, x.amount_centavos, x.net_centavos, x.fee_centavos, r.received_centavos, f.centavos,
          b.centavos) AS transfer
      WHERE moved <> stated OR stated IS NULL AND moved = 0`,
  },
  {
    // The rule above has the amount of a charge, and what a withdrawal costs, as a whole.
    rule: 'every transfer takes the fee and the split of its transaction',
    sql: `SELECT format('transfer %s (%s of transaction %s) takes a fee of %s and a split of %s, its transaction says %s and %s', t.id, t.kind,
        x.id, t.fee_centavos, t.split_centavos, x.fee_centavos, x.split_centavos) AS detail
      FROM ledger_transfers t JOIN transactions x ON x.id = t.transaction_id
      WHERE t.kind IN ('charge_paid', 'withdrawal_completed', 'withdrawal_recovered', 'withdrawal_returned')
        AND (t.fee_centavos, t.split_centavos)
          <> (CASE t.kind WHEN 'withdrawal_returned' THEN -x.fee_centavos ELSE x.fee_centavos END, x.split_centavos)`,
  },
  {
    rule: 'every transfer moves money between the ledger accounts of its kind',
    sql: PLACES('true'),
    sinceSql: ({ entry }) => PLACES(`e.id > ${entry}`),
  },
  {
    rule: 'every part of a paid charge is a transaction of its receiver',
    sql: `SELECT format('transaction %s is %s with %s for account %s, whose part is transaction %s with %s', x.id, x.status, x.split_centavos,
        x.split_account_id, p.id, p.amount_centavos) AS detail
      FROM transactions x LEFT JOIN public.transactions p ON p.split_of_id = x.id
      WHERE x.type = 'pix_in' AND (x.split_account_id IS NOT NULL OR p.id IS NOT NULL)
        AND (CASE WHEN x.status IN ('paid', 'refunded') THEN (p.account_id, p.amount_centavos, p.net_centavos)
          = (x.split_account_id, x.split_centavos, x.split_centavos) ELSE p.id IS NULL END) IS NOT true`,
  },
  {
    // Lists, files and the overview add these up.
    rule: 'every transfer’s figures are what its entries come to',
    sql: `SELECT format('transfer %s (%s of transaction %s) says gross %s, fee %s, split %s, pending %s; its entries come to %s, %s, %s, %s',
        id, kind, transaction_id, gross_centavos, fee_centavos, split_centavos, pending_centavos, own + fee + split, fee, split, pending) AS detail
      FROM (SELECT t.id, t.kind, t.transaction_id, t.account_id, t.type, t.gross_centavos, t.fee_centavos, t.split_account_id, t.split_centavos,
          t.pending_centavos, x.account_id AS owner_id, x.type AS owned_type, x.split_account_id AS receiver_id,
          coalesce(sum(e.amount_centavos) FILTER (WHERE a.account_id = x.account_id AND a.kind <> 'pending'), 0) AS own,
          coalesce(sum(e.amount_centavos) FILTER (WHERE a.account_id = x.account_id AND a.kind = 'pending'), 0) AS pending,
          coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind = 'fees'), 0) AS fee,
          coalesce(sum(e.amount_centavos) FILTER (WHERE a.account_id <> x.account_id), 0) AS split
        FROM ledger_transfers t JOIN transactions x ON x.id = t.transaction_id
          LEFT JOIN (ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id) ON e.transfer_id = t.id
        GROUP BY t.id, t.kind, t.transaction_id, t.account_id, t.type, t.gross_centavos, t.fee_centavos, t.split_account_id, t.split_centavos,
          t.pending_centavos, x.account_id, x.type, x.split_account_id) AS transfer
      WHERE (account_id, type, gross_centavos, fee_centavos, split_centavos, pending_centavos)
          <> (owner_id, owned_type, own + fee + split, fee, split, pending)
        OR split_account_id IS DISTINCT FROM CASE WHEN split <> 0 THEN receiver_id END`,
  },
  {
    rule: 'what is held is released once, what is given back was received',
    sql: `SELECT format('transaction %s has %s', transaction_id, string_agg(kind, ', ' ORDER BY kind)) AS detail
      FROM ledger_transfers WHERE transaction_id IS NOT NULL GROUP BY transaction_id
      HAVING bool_or(kind = 'withdrawal_completed') AND bool_or(kind = 'withdrawal_failed')
        OR bool_or(kind IN ('withdrawal_completed', 'withdrawal_failed')) AND NOT bool_or(kind = 'withdrawal_requested')
        OR bool_or(kind IN ('refund_requested', 'foreign_refund', 'dispute')) AND NOT bool_or(kind = 'charge_paid')`,
  },
  {
    rule: 'a refund’s hold ends once, the way the refund ended',
    sql: `SELECT format('refund %s of transaction %s is %s with %s', f.id, f.transaction_id, f.status,
        coalesce(string_agg(t.kind, ', ' ORDER BY t.kind), 'nothing')) AS detail
      FROM refunds f LEFT JOIN ledger_transfers t
        ON t.transaction_id = f.transaction_id AND t.kind LIKE 'refund_%' AND t.reference = f.id::text
      GROUP BY f.id, f.transaction_id, f.status
      HAVING count(*) FILTER (WHERE t.kind = 'refund_requested') <> 1
        OR count(*) FILTER (WHERE t.kind = 'refund_completed') <> (f.status = 'completed')::int
        OR count(*) FILTER (WHERE t.kind = 'refund_failed') <> (f.status = 'failed')::int`,
  },
  {
    rule: 'a charge says of its refunds what they are',
    sql: `SELECT format('transaction %s says %s are refunded, its refunds say %s', x.id, x.refunded_centavos,
        coalesce(sum(f.centavos), 0)) AS detail
      FROM transactions x LEFT JOIN (
        SELECT transaction_id, centavos FROM refunds WHERE status = 'completed'
        UNION ALL SELECT transaction_id, centavos FROM foreign_refunds) AS f ON f.transaction_id = x.id
      WHERE x.type = 'pix_in' GROUP BY x.id, x.status, x.refunded_centavos, x.amount_centavos
      HAVING x.refunded_centavos <> coalesce(sum(f.centavos), 0)
        OR (x.status = 'refunded') <> (x.refunded_centavos >= x.amount_centavos)`,
  },
  {
    rule: 'every withdrawal is held once, and ends the way the ledger says',
    sql: `SELECT format('transaction %s is %s with %s', x.id, x.status,
        coalesce(string_agg(t.kind, ', ' ORDER BY t.kind), 'nothing')) AS detail
      FROM transactions x LEFT JOIN ledger_transfers t ON t.transaction_id = x.id
      WHERE x.type IN ('pix_out', 'crypto_out') GROUP BY x.id, x.type, x.status, x.pix_key, x.scheduled_for, x.begun_at
      HAVING CASE WHEN x.type = 'pix_out' AND x.pix_key IS NULL THEN array_agg(t.kind) <> '{foreign_payout_charged}'
        -- Before it begins it may be held or not; what was held is given back when it does not begin.
        WHEN x.scheduled_for IS NOT NULL AND x.begun_at IS NULL THEN
          coalesce(string_agg(t.kind, ' ' ORDER BY t.id), '') NOT IN ('', CASE x.status
            WHEN 'pending' THEN 'withdrawal_requested' ELSE 'withdrawal_requested withdrawal_failed' END)
        ELSE count(*) FILTER (WHERE t.kind = 'withdrawal_requested') <> 1
        OR x.status = 'review' AND count(*) FILTER (WHERE t.kind IN ('withdrawal_completed', 'withdrawal_failed')) <> 1
        OR x.status <> 'review' AND (
          count(*) FILTER (WHERE t.kind IN ('withdrawal_completed', 'withdrawal_recovered'))
            - count(*) FILTER (WHERE t.kind = 'withdrawal_returned') <> (x.status = settled_status(x.type))::int
          OR count(*) FILTER (WHERE t.kind IN ('withdrawal_failed', 'withdrawal_returned'))
            - count(*) FILTER (WHERE t.kind = 'withdrawal_recovered') <> (x.status = 'failed')::int) END`,
  },
  {
    // The worker sends the quantity of the row, and an invoice that is paid exactly is credited in
    // full. A payout found after a restore may have been approved at another quote.
    rule: 'every crypto transaction is of as much as its reais come to at its quote',
    sql: `SELECT format('transaction %s (%s) is of %s units for %s at %s', x.id, x.type, x.units, x.centavos, x.quote_price) AS detail
      FROM (SELECT id, type, units::numeric, quote_price, CASE type WHEN 'crypto_in' THEN amount_centavos ELSE net_centavos END AS centavos,
          type = 'crypto_out' AND sub_status IS NULL AND EXISTS (
            SELECT FROM withdrawal_approvals w WHERE w.transaction_id = transactions.id AND w.outcome IS NULL) AS is_restored
        FROM transactions WHERE type IN ('crypto_in', 'crypto_out')) AS x
      WHERE NOT CASE WHEN x.type = 'crypto_in'
          THEN x.units * x.quote_price >= x.centavos * 1e14 AND (x.units - ${LARGEST_STEP}) * x.quote_price < x.centavos * 1e14
        WHEN x.is_restored
          THEN abs(x.units * x.quote_price - x.centavos * 1e14) * 4 <= x.centavos * 1e14 + ${LARGEST_STEP} * x.quote_price * 4
        ELSE x.units * x.quote_price <= x.centavos * 1e14 AND (x.units + ${LARGEST_STEP}) * x.quote_price > x.centavos * 1e14 END`,
  },
  {
    rule: 'what is used of a limit is what its withdrawals come to',
    sql: LIMIT_USE,
    sinceSql: ({ changed }) => `WITH limit_usage AS MATERIALIZED (
        SELECT DISTINCT u.* FROM transactions x JOIN public.limit_usage u ON u.account_id = x.account_id AND u.type = x.type
          AND u.starts_at <= coalesce(x.begun_at, x.created_at) AND u.ends_at > coalesce(x.begun_at, x.created_at)
        WHERE x.id = ANY (${changed}) AND x.type IN ('pix_out', 'crypto_out')) ${LIMIT_USE}`,
  },
  {
    // So that no row of a limit can be missing.
    rule: 'every withdrawal that was asked for counts in one day, and by night in that night',
    sql: `SELECT format('transaction %s of %s counts in %s days and %s nights', id, at, days, nights) AS detail
      FROM (SELECT x.id, coalesce(x.begun_at, x.created_at) AS at, count(u.starts_at) FILTER (WHERE u.period = 'day') AS days,
          count(u.starts_at) FILTER (WHERE u.period = 'night') AS nights,
          extract(hour FROM coalesce(x.begun_at, x.created_at) AT TIME ZONE 'America/Sao_Paulo') AS hour
        FROM transactions x LEFT JOIN limit_usage u ON u.account_id = x.account_id AND u.type = x.type
          AND u.starts_at <= coalesce(x.begun_at, x.created_at) AND u.ends_at > coalesce(x.begun_at, x.created_at)
        WHERE (x.type = 'crypto_out' OR x.type = 'pix_out' AND x.pix_key IS NOT NULL)
          AND (x.scheduled_for IS NULL OR x.begun_at IS NOT NULL) GROUP BY x.id, x.begun_at, x.created_at) AS counted
      WHERE days <> 1 OR nights = 0 AND (hour >= ${NIGHT_START_HOUR} OR hour < ${NIGHT_END_HOUR})`,
  },
  {
    rule: 'what of a balance is held over credentials of an account’s own is what came over them',
    sql: OWN,
    sinceSql: () => OWN,
  },
  {
    rule: 'what is blocked is held by open withdrawals, open refunds and disputes',
    sql: BLOCKED,
    sinceSql: () => BLOCKED,
  },
  {
    rule: 'every crypto deposit says of its credit what the ledger has',
    sql: `SELECT format('transaction %s says %s credited with %s of fee, the ledger has %s with %s', x.id, x.credited_centavos,
        x.credited_fee_centavos, coalesce(posted.net + posted.fee, 0), coalesce(posted.fee, 0)) AS detail
      FROM transactions x LEFT JOIN (
        SELECT t.transaction_id, coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind IN ('available', 'owed')), 0) AS net,
          coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind = 'fees'), 0) AS fee
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id JOIN ledger_accounts a ON a.id = e.ledger_account_id
        WHERE t.kind = 'crypto_received' GROUP BY t.transaction_id) AS posted ON posted.transaction_id = x.id
      WHERE x.type = 'crypto_in' AND (x.credited_centavos, x.credited_fee_centavos)
        <> (coalesce(posted.net + posted.fee, 0), coalesce(posted.fee, 0))`,
  },
  {
    rule: 'a deposit is completed once it is credited, and only what was received is pending',
    sql: `SELECT format('transaction %s is %s with %s received, %s credited and %s pending', x.id, x.status, x.received_units,
        x.credited_centavos, coalesce(posted.pending, 0)) AS detail
      FROM transactions x LEFT JOIN (
        SELECT t.transaction_id, sum(e.amount_centavos) AS pending
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id JOIN ledger_accounts a ON a.id = e.ledger_account_id
        WHERE t.kind = 'crypto_received' AND a.kind = 'pending' GROUP BY t.transaction_id) AS posted ON posted.transaction_id = x.id
      WHERE x.type = 'crypto_in' AND (posted.pending < 0 OR x.received_units = 0 AND posted.pending <> 0
        OR x.credited_centavos > 0 AND (x.status <> 'completed' OR x.received_units = 0)
        -- An operator may have credited what was in review.
        OR x.credited_centavos = 0 AND x.status = 'completed' AND NOT EXISTS (
          SELECT FROM ledger_transfers t WHERE t.transaction_id = x.id AND t.kind = 'review_credited'))`,
  },
  {
    rule: 'what a crypto deposit has in review is in suspense',
    sql: `SELECT format('transaction %s says %s are in review, its reviews have %s and suspense %s', x.id, x.reviewed_centavos,
        coalesce(reviewed.centavos, 0), coalesce(posted.centavos, 0)) AS detail
      FROM transactions x LEFT JOIN (
        SELECT transaction_id, sum(received_centavos) AS centavos FROM reviews GROUP BY transaction_id) AS reviewed
          ON reviewed.transaction_id = x.id
        LEFT JOIN (
          SELECT t.transaction_id, sum(e.amount_centavos) AS centavos
          FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id JOIN ledger_accounts a ON a.id = e.ledger_account_id
          WHERE t.kind = 'suspense' AND a.kind = 'suspense' GROUP BY t.transaction_id) AS posted ON posted.transaction_id = x.id
      WHERE x.type = 'crypto_in' AND (x.reviewed_centavos <> coalesce(reviewed.centavos, 0)
        OR x.reviewed_centavos <> coalesce(posted.centavos, 0))`,
  },
  {
    rule: 'every crypto deposit is the sum of its increments',
    sql: `SELECT format('transaction %s has %s of %s units settled, %s at its quote, %s credited and %s in review; its increments have %s, %s, %s and %s',
        x.id, x.settled_units, x.received_units, x.quoted_units, x.credited_centavos, x.reviewed_centavos, sum.units, sum.quoted,
        sum.credited, sum.reviewed) AS detail
      FROM transactions x LEFT JOIN LATERAL (
        SELECT coalesce(sum(i.units), 0) AS units, coalesce(sum(i.units) FILTER (WHERE i.is_quoted), 0) AS quoted,
          coalesce(sum(i.credited_centavos), 0) AS credited, coalesce(sum(i.reviewed_centavos), 0) AS reviewed,
          coalesce(max(i.units_before + i.units), 0) AS ends
        FROM invoice_increments i WHERE i.transaction_id = x.id) AS sum ON true
      WHERE x.type = 'crypto_in' AND (x.settled_units, x.settled_units, x.quoted_units, x.credited_centavos, x.reviewed_centavos)
        <> (sum.units, sum.ends, sum.quoted, sum.credited, sum.reviewed)`,
  },
  {
    // Units up to the tolerance above what was asked for are priced at the invoice's quote; exactly
    // what was asked for gives the amount.
    rule: 'no crypto deposit gives more than the worse of its quote and the market',
    sql: `SELECT format('transaction %s gives %s for %s units at %s, its own quote is %s', x.id, given, p.units, p.price, x.quote_price) AS detail
      FROM (SELECT transaction_id, units, price, is_quoted, credited_centavos + reviewed_centavos AS given,
            div(units::numeric * price, 1e14) AS worth FROM invoice_increments WHERE NOT is_quoted
          UNION ALL
          SELECT i.transaction_id, sum(i.units), max(i.price), true, sum(i.credited_centavos + i.reviewed_centavos),
            CASE WHEN sum(i.units) = t.units THEN t.amount_centavos ELSE div(sum(i.units) * max(i.price), 1e14) END
          FROM invoice_increments i JOIN transactions t ON t.id = i.transaction_id WHERE i.is_quoted
          GROUP BY i.transaction_id, t.units, t.amount_centavos) AS p JOIN transactions x ON x.id = p.transaction_id
      WHERE given > worth OR p.price > x.quote_price
        OR is_quoted AND p.units > div(x.units::numeric * (10000 + coalesce(x.tolerance_bps, 0)), 10000)`,
  },
  {
    rule: 'what is pending is the account’s crypto deposits’',
    sql: `SELECT format('account %s has %s pending, its deposits have %s', a.account_id, a.balance_centavos, coalesce(sum(e.amount_centavos), 0)) AS detail
      FROM ledger_accounts a LEFT JOIN (transactions x JOIN ledger_transfers t ON t.transaction_id = x.id AND t.kind = 'crypto_received'
          JOIN ledger_entries e ON e.transfer_id = t.id)
        ON x.account_id = a.account_id AND x.type = 'crypto_in' AND e.ledger_account_id = a.id
      WHERE a.kind = 'pending' GROUP BY a.id HAVING a.balance_centavos <> coalesce(sum(e.amount_centavos), 0)`,
    sinceSql: ({
      entry,
    }) => `SELECT format('entry %s is pending in account %s, its transaction %s is no deposit there', e.id, a.account_id, x.id) AS detail
      FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id AND a.kind = 'pending'
        JOIN ledger_transfers t ON t.id = e.transfer_id JOIN transactions x ON x.id = t.transaction_id
      WHERE e.id > ${entry} AND (t.kind, x.type, x.account_id) <> ('crypto_received', 'crypto_in', a.account_id)`,
  },
  {
    rule: 'every paid charge has exactly its credit, no other charge has one',
    sql: `SELECT format('transaction %s is %s with %s charge_paid transfers', x.id, x.status, count(t.id)) AS detail
      FROM transactions x LEFT JOIN ledger_transfers t ON t.transaction_id = x.id AND t.kind = 'charge_paid'
      WHERE x.type = 'pix_in' GROUP BY x.id, x.status
      HAVING count(t.id) <> CASE WHEN x.status IN ('paid', 'refunded') THEN 1 ELSE 0 END`,
  },
  {
    // The overview adds these up.
    rule: 'every total of an hour or a day is what its transfers and charges come to',
    sql: TOTALS,
    sinceSql: ({ day }) => `WITH account_totals AS MATERIALIZED (
        SELECT t.* FROM accounts a JOIN public.account_totals t ON t.account_id = a.id AND t.starts_at >= ${day}
      ), account_movements AS MATERIALIZED (
        SELECT m.* FROM accounts a JOIN public.account_movements m ON m.account_id = a.id AND m.at >= ${day}
      ), account_outcomes AS MATERIALIZED (
        SELECT o.* FROM accounts a JOIN public.account_outcomes o ON o.account_id = a.id AND o.updated_at >= ${day} AND o.at >= ${day}
      ) ${TOTALS}`,
  },
  {
    rule: 'an account that owes has nothing available',
    sql: OWED,
    sinceSql: () => OWED,
  },
  {
    rule: 'what is in suspense waits for a decision',
    sql: SUSPENSE,
    sinceSql: () => SUSPENSE,
  },
  {
    rule: 'every reviewed payment is in suspense',
    sql: `SELECT format('review %s of transaction %s: payment %s has no suspense transfer', r.id, r.transaction_id, r.end_to_end_id) AS detail
      FROM reviews r WHERE r.received_centavos > 0 AND NOT EXISTS (SELECT FROM ledger_transfers t
        WHERE t.transaction_id = r.transaction_id AND t.kind = 'suspense' AND t.reference = r.end_to_end_id)`,
  },
  {
    // Without it nobody sends it, asks about it or gives it back: its money would be held for good.
    rule: 'what is under way has its task',
    sql: TASKS,
    sinceSql: () => TASKS,
  },
  {
    // What a transaction says of itself alone does not show that one of its parts was never posted.
    rule: 'what was booked without a request, and what was decided, is posted once',
    sql: `SELECT format('%s %s of transaction %s is of %s, and moves %s', coalesce(r.kind, t.kind), coalesce(r.reference, t.reference),
        coalesce(r.transaction_id, t.transaction_id), coalesce(r.centavos::text, 'something'), coalesce(t.moved, 0)) AS detail
      ${REFERRED} FULL JOIN (
        SELECT kind, transaction_id, reference, (SELECT coalesce(sum(e.amount_centavos), 0) FROM public.ledger_entries e
            WHERE e.transfer_id = t.id AND e.amount_centavos > 0) AS moved
        FROM (
          SELECT * FROM ledger_transfers WHERE kind IN ('foreign_refund', 'review_returned', 'review_written_off', 'review_credited',
            'withdrawal_written_off', 'withdrawal_returned', 'withdrawal_recovered')
          -- Those of no transaction are few.
          UNION ALL SELECT * FROM public.ledger_transfers WHERE transaction_id IS NULL) AS t) AS t
        ON t.kind = r.kind AND t.reference = r.reference AND coalesce(t.transaction_id::text, '') = coalesce(r.transaction_id::text, '')
      WHERE r.kind IS NULL OR (t.moved > 0 AND t.moved = coalesce(r.centavos, t.moved)) IS NOT true`,
  },
  {
    // What was put to suspense, under another charge or without one, is credited from there. An
    // account's credentials beside each other may list one payment.
    rule: 'no payment is booked twice',
    sql: `SELECT format('payment %s over %s of transaction %s is credited, unmatched or in review elsewhere, too', b.end_to_end_id, b.rail,
        b.id) AS detail
      FROM (
        SELECT x.id, x.rail, x.end_to_end_id, true AS is_credited
        FROM transactions x JOIN ledger_transfers t ON t.transaction_id = x.id AND t.kind = 'charge_paid'
          JOIN ledger_entries e ON e.transfer_id = t.id JOIN ledger_accounts a ON a.id = e.ledger_account_id AND a.kind = 'pix_settlement'
        UNION ALL
        SELECT x.id, x.rail, r.end_to_end_id, false
        FROM reviews r JOIN transactions x ON x.id = r.transaction_id AND x.type = 'pix_in') AS b
      WHERE EXISTS (SELECT FROM unmatched_payments u WHERE u.end_to_end_id = b.end_to_end_id AND u.rail = ANY (rails_beside(b.rail)))
        OR EXISTS (SELECT FROM public.reviews r JOIN public.transactions o ON o.id = r.transaction_id
          WHERE r.end_to_end_id = b.end_to_end_id AND o.rail = ANY (rails_beside(b.rail)) AND o.type = 'pix_in' AND o.id <> b.id)
        OR b.is_credited AND is_own_rail(b.rail) AND EXISTS (SELECT FROM public.transactions o
          WHERE o.end_to_end_id = b.end_to_end_id AND o.rail = ANY (rails_beside(b.rail)) AND o.type = 'pix_in' AND o.id <> b.id)`,
  },
];

/**
 * CTEs that narrow a rule to the transactions that have changed: under the names of the tables they
 * hold the rows of those alone. (Rules group by every column that they name, because a CTE has no
 * primary key.)
 */
export const changedOnes = ({
  changed,
  transfer,
}: SinceNames) => `WITH transactions AS MATERIALIZED (SELECT * FROM public.transactions WHERE id = ANY (${changed})),
      ledger_transfers AS MATERIALIZED (SELECT * FROM public.ledger_transfers WHERE transaction_id = ANY (${changed})
        OR transaction_id IS NULL AND id > ${transfer}),
      ledger_entries AS MATERIALIZED (SELECT e.* FROM ledger_transfers t JOIN public.ledger_entries e ON e.transfer_id = t.id),
      refunds AS MATERIALIZED (SELECT * FROM public.refunds WHERE transaction_id = ANY (${changed})),
      foreign_refunds AS MATERIALIZED (SELECT * FROM public.foreign_refunds WHERE transaction_id = ANY (${changed})),
      reviews AS MATERIALIZED (SELECT * FROM public.reviews WHERE transaction_id = ANY (${changed})),
      invoice_increments AS MATERIALIZED (SELECT * FROM public.invoice_increments WHERE transaction_id = ANY (${changed}))`;
