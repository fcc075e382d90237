import type pg from 'pg';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import type { DeliveryStatus, Topic } from '#domain/webhooks/events.ts';
import { deliveryUrl } from '../webhooks/delivery-log.ts';

/** The balance of an entry; `split_receiver` is the other account's available balance. */
export type EntryAccount =
  | 'available'
  | 'pending'
  | 'blocked'
  | 'owed'
  | 'pix_settlement'
  | 'crypto_settlement'
  | 'fees'
  | 'suspense'
  | 'write_offs'
  | 'split_receiver';

export type PostedTransfer = {
  id: bigint;
  kind: string;
  reference: string;
  createdAt: Date;
  /** `balanceAfterCentavos`: of the account's own balances only. */
  entries: { account: EntryAccount; centavos: bigint; balanceAfterCentavos: bigint | null }[];
};

type TransferRow = Omit<PostedTransfer, 'entries'> & {
  entries: { account: EntryAccount; centavos: string; balanceAfter: string | null }[];
};

/**
 * What the ledger has posted for a transaction of this account, oldest first. Never contains
 * another account's balance; of another account's charge of which this one got a part, only that
 * part.
 */
export async function findTransfers(db: pg.Pool, accountId: string, transactionId: string): Promise<PostedTransfer[]> {
  const { rows } = await db.query<TransferRow>({
    name: 'find-transfers',
    text: `SELECT t.id, t.kind, t.reference, t.created_at AS "createdAt",
        json_agg(json_build_object('centavos', e.amount_centavos::text,
          'account', CASE WHEN a.account_id IS NULL OR a.account_id = $2 THEN a.kind::text ELSE 'split_receiver' END,
          'balanceAfter', CASE WHEN a.account_id = $2 THEN e.balance_after_centavos::text END) ORDER BY e.amount_centavos, e.id) AS entries
      FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id JOIN ledger_accounts a ON a.id = e.ledger_account_id
      WHERE t.transaction_id = $1
        OR t.transaction_id = (SELECT split_of_id FROM transactions WHERE id = $1) AND a.account_id = $2
      GROUP BY t.id ORDER BY t.id`,
    values: [transactionId, accountId],
  });
  return rows.map((row) => ({
    ...row,
    entries: row.entries.map(({ account, centavos, balanceAfter }) => ({
      account,
      centavos: BigInt(centavos),
      balanceAfterCentavos: balanceAfter === null ? null : BigInt(balanceAfter),
    })),
  }));
}

export type TransactionDelivery = {
  id: string;
  event: string;
  /** Null: the URL is the transaction's own, or of an endpoint without a topic. */
  topic: Topic | null;
  /** Null: it never went anywhere, and its topic has no URL. */
  url: string | null;
  status: DeliveryStatus;
  createdAt: Date;
  finishedAt: Date | null;
  attempts: number;
  lastStatusCode: number | null;
  lastDurationMs: number | null;
  nextAttemptAt: Date | null;
};

/** The deliveries of a transaction's events, oldest first. */
export async function findDeliveriesOf(db: pg.Pool, transactionId: string): Promise<TransactionDelivery[]> {
  const { rows } = await db.query<TransactionDelivery>({
    name: 'find-deliveries-of',
    text: `SELECT d.id, e.type AS event, p.topic, d.status,
        ${deliveryUrl('d', 'p')} AS url, d.created_at AS "createdAt", d.finished_at AS "finishedAt",
        coalesce(last.number, 0) AS attempts, last.status_code AS "lastStatusCode",
        last.duration_ms AS "lastDurationMs", k.due_at AS "nextAttemptAt"
      FROM events e JOIN deliveries d ON d.event_id = e.id LEFT JOIN endpoints p ON p.id = d.endpoint_id
      LEFT JOIN LATERAL (SELECT * FROM attempts WHERE delivery_id = d.id ORDER BY number DESC LIMIT 1) AS last ON true
      LEFT JOIN tasks k ON k.kind = 'deliver_webhook' AND k.subject_id = d.id AND d.status = 'pending'
      WHERE e.transaction_id = $1 ORDER BY d.created_at, d.event_id, d.id`,
    values: [transactionId],
  });
  return rows;
}

/** When a withdrawal went to its provider; null while it has not. */
export async function findPayoutSentAt(db: pg.Pool, transactionId: string): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>('SELECT payout_sent_at AS at FROM transactions WHERE id = $1', [
    transactionId,
  ]);
  return rows[0]?.at ?? null;
}

/**
 * What an account has withdrawn by one type from `since` to `until`, both included, in centavos.
 * What failed does not count, since it came back; nor does what was sent in the bank's application,
 * which uses no limit.
 */
export async function findWithdrawnBetween(
  db: pg.Pool,
  accountId: string,
  type: TransactionType,
  since: Date,
  until: Date,
): Promise<bigint> {
  const { rows } = await db.query<{ centavos: bigint }>(
    `SELECT coalesce(sum(amount_centavos), 0)::bigint AS centavos FROM transactions
     WHERE account_id = $1 AND type = $2::transaction_type AND type IN ('pix_out', 'crypto_out')
       AND (scheduled_for IS NULL AND created_at >= $3 AND created_at <= $4
         OR begun_at >= $3 AND begun_at <= $4) AND status <> 'failed'
       AND (type = 'crypto_out' OR pix_key IS NOT NULL)`,
    [accountId, type, since, until],
  );
  return rows[0]?.centavos ?? 0n;
}
