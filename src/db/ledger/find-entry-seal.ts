import type pg from 'pg';

/** An entry of a closed day, its link in its chain, and the signed head above it. */
export type EntrySeal = {
  version: bigint;
  amountCentavos: bigint;
  at: Date;
  /** Hashes and keys are hexadecimal. */
  link: string;
  day: string;
  headHash: string;
  publicKey: string;
  signedAt: Date;
};

const LINK_BYTES = 32;

/**
 * The first entry that credited an account with a transaction, as the head of its day has sealed
 * it; null when it was not credited, or its day is not closed.
 */
export async function findEntrySeal(db: pg.Pool, accountId: string, transactionId: string): Promise<EntrySeal | null> {
  const { rows } = await db.query<EntrySeal>({
    name: 'find-entry-seal',
    text: `SELECT e.version, e.amount AS "amountCentavos", e.at, h.day::text AS day, h.signed_at AS "signedAt",
        encode(h.hash, 'hex') AS "headHash", encode(h.public_key, 'hex') AS "publicKey",
        encode(CASE WHEN e.version = s.version THEN s.link
          ELSE substring(s.links FROM ((e.version - s.version) * ${LINK_BYTES} + octet_length(s.links) + 1)::integer FOR ${LINK_BYTES})
          END, 'hex') AS link
      FROM (
        SELECT e.ledger_account_id, e.version, e.amount_centavos AS amount, t.created_at AS at
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id JOIN ledger_accounts a ON a.id = e.ledger_account_id
        WHERE t.transaction_id = $2 AND a.account_id = $1 AND a.kind = 'available' AND e.amount_centavos > 0
        ORDER BY e.version LIMIT 1) AS e
      CROSS JOIN LATERAL (
        SELECT s.day, s.version, s.link, s.links FROM ledger_seals s
        WHERE s.ledger_account_id = e.ledger_account_id AND s.version >= e.version ORDER BY s.day, s.version LIMIT 1) AS s
      JOIN ledger_heads h ON h.day = s.day`,
    values: [accountId, transactionId],
  });
  return rows[0] ?? null;
}
