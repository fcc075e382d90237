import type { Database } from '#db/connection/database.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { sealClearRows } from './seal-clear-rows.ts';

/** How many transactions an account has whose pages are measured at the server. */
export const TRANSACTIONS = 100_000;
/** Ninety days and the ninety before them: as much as the overview ever adds up. */
const DAYS = 180;

/**
 * Half a year of an account's transactions and their transfers as they would look, straight into
 * the tables, as their owner: the ledger's functions would take an hour. Of ten, seven are PIX
 * charges, one is an invoice, one a PIX withdrawal and one a crypto withdrawal; most charges are
 * paid.
 */
export async function fillAccount(
  db: Database,
  secretBox: SecretBox,
  accountId: string,
  count = TRANSACTIONS,
): Promise<void> {
  const client = await db.pool.connect();
  // Our sessions' limit is for statements of milliseconds.
  await client.query('SET statement_timeout = 0');
  await client.query(
    `INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos, description,
      customer_name, customer_email, customer_document, customer_document_index, customer_document_type, rail, br_code,
      end_to_end_id, pix_key, pix_key_type, currency, units, wallet, provider_id, quote_price, quote_spread_bps, quoted_at,
      quote_sources, received_units, credited_centavos, credited_fee_centavos, tx_hashes, payout_step,
      created_at, expires_at, paid_at, updated_at)
    SELECT id, $1, type::transaction_type, status::transaction_status, amount, fee,
      CASE WHEN type = 'pix_out' THEN amount ELSE amount - fee END, 'Pedido ' || n,
      CASE WHEN type IN ('pix_in', 'crypto_in') THEN (ARRAY['Maria da Silva', 'José Pereira', 'Ana Souza', 'Tiago Ramos'])[1 + n % 4] END,
      CASE WHEN type IN ('pix_in', 'crypto_in') THEN 'cliente' || n % 5000 || '@example.com' END,
      CASE WHEN type = 'pix_in' THEN repeat('k', 60) END,
      CASE WHEN type = 'pix_in' THEN sha256((n % 5000)::text::bytea) END,
      CASE WHEN type = 'pix_in' THEN 'cpf'::document_type END,
      CASE WHEN is_pix THEN 'sandbox' ELSE 'sandbox_crypto' END,
      CASE WHEN type = 'pix_in' THEN repeat('00020126', 24) END,
      CASE WHEN is_pix AND is_done THEN 'E' || replace(id::text, '-', '') END,
      CASE WHEN type = 'pix_out' THEN 'maria@example.com' END, CASE WHEN type = 'pix_out' THEN 'email' END,
      CASE WHEN NOT is_pix THEN 'USDT_BSC' END, CASE WHEN NOT is_pix THEN amount::bigint * 200000 END,
      CASE WHEN NOT is_pix THEN '0x' || left(replace(id::text, '-', ''), 40) END,
      CASE WHEN NOT is_pix THEN 'bench-' || n END,
      CASE WHEN NOT is_pix THEN 500000000 END, CASE WHEN NOT is_pix THEN 0 END, CASE WHEN NOT is_pix THEN at END,
      CASE WHEN NOT is_pix THEN '[{"source": "sandbox", "price": "500000000", "at": "2026-01-01T00:00:00.000Z"}]'::jsonb END,
      CASE WHEN type = 'crypto_in' AND is_done THEN amount::bigint * 200000 ELSE 0 END,
      CASE WHEN type = 'crypto_in' AND is_done THEN amount ELSE 0 END,
      CASE WHEN type = 'crypto_in' AND is_done THEN fee ELSE 0 END, '{}',
      CASE WHEN type IN ('pix_out', 'crypto_out') THEN 'sent' END,
      at, at + interval '1 day', CASE WHEN is_done THEN at + interval '4 minutes' END, at + interval '4 minutes'
    FROM (
      SELECT *, uuid_extract_timestamp(id) AS at, type LIKE 'pix%' AS is_pix, status IN ('paid', 'completed') AS is_done,
        amount / 100 + 10 AS fee
      FROM (
        SELECT n, uuidv7(make_interval(secs => -$2::double precision * 86400 * (1 - n::double precision / $3))) AS id,
          (ARRAY['pix_in', 'pix_in', 'pix_in', 'pix_in', 'pix_in', 'pix_in', 'pix_in', 'crypto_in', 'pix_out', 'crypto_out'])[1 + n % 10] AS type,
          CASE WHEN n % 10 > 7 AND n / 10 % 4 = 3 THEN 'failed' WHEN n % 10 = 8 THEN 'paid' WHEN n % 10 = 9 THEN 'completed'
            WHEN n / 10 % 7 = 0 THEN 'expired' WHEN n / 10 % 50 = 1 THEN 'cancelled'
            WHEN n % 10 = 7 THEN 'completed' ELSE 'paid' END AS status,
          1000 + n % 9000 * 7919 % 90000 AS amount
        FROM generate_series(1, $3) AS n
      ) AS rows
    ) AS rows`,
    [accountId, DAYS, count],
  );
  await client.query(
    `INSERT INTO ledger_transfers (transaction_id, kind, reference, created_at, account_id, type, gross_centavos, fee_centavos)
    SELECT id, kind, '', CASE kind WHEN 'withdrawal_requested' THEN created_at ELSE paid_at END, account_id, type,
      CASE kind WHEN 'withdrawal_requested' THEN 0 WHEN 'withdrawal_completed' THEN -net_centavos ELSE amount_centavos END,
      CASE kind WHEN 'withdrawal_requested' THEN 0 ELSE fee_centavos END
    FROM transactions CROSS JOIN LATERAL unnest(CASE type WHEN 'pix_in' THEN ARRAY['charge_paid']
      WHEN 'crypto_in' THEN ARRAY['crypto_received'] ELSE ARRAY['withdrawal_requested', 'withdrawal_completed'] END) AS kind
    WHERE account_id = $1 AND (paid_at IS NOT NULL OR kind = 'withdrawal_requested')`,
    [accountId],
  );
  await sealClearRows(db, secretBox);
  await client.query('VACUUM FULL ANALYZE transactions');
  await client.query('VACUUM ANALYZE ledger_transfers');
  client.release(true);
}
