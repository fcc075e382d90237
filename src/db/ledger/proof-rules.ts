import type { LedgerRule } from './ledger-rules.ts';

/** Seals that were written after the last that was proved, with what they follow. */
const SEALS = (chained: string) => `seal AS MATERIALIZED (
        SELECT s.ledger_account_id, a.account_id, a.kind, coalesce(a.account_id::text, 'platform-' || a.mode) AS owner, s.day, s.version,
          s.version - octet_length(s.links) / 32 AS first, s.transfer_id, s.balance_centavos, s.credit_centavos, s.links || s.link AS links,
          coalesce(p.version, 0) AS version_before, coalesce(p.link, c.start) AS link_before, coalesce(p.transfer_id, 0) AS transfer_before,
          coalesce(p.balance_centavos, 0) AS balance_before, coalesce(p.credit_centavos, 0) AS credit_before
        FROM ledger_seals s JOIN ledger_accounts a ON a.id = s.ledger_account_id
          JOIN ledger_chains c ON c.ledger_account_id = s.ledger_account_id
          LEFT JOIN LATERAL (
            SELECT * FROM ledger_seals p WHERE p.ledger_account_id = s.ledger_account_id AND (p.day, p.version) < (s.day, s.version)
            ORDER BY p.day DESC, p.version DESC LIMIT 1) AS p ON true
        WHERE s.transfer_id > ${chained}
      )`;

/**
 * Their entries, numbered and added up; a platform account's are those of the seal's transfers.
 * Read seal by seal, each by its index, whatever is known of the tables.
 */
const ENTRIES = `entry AS (
        SELECT s.ledger_account_id, s.account_id, s.version AS seal, s.kind, s.owner, s.links, e.*
        FROM seal s CROSS JOIN LATERAL (
          SELECT version - s.first AS at, version, amount_centavos AS amount, balance_after_centavos AS balance,
            credit_after_centavos AS credit, transfer_id
          FROM ledger_entries WHERE ledger_account_id = s.ledger_account_id AND version > s.first AND version <= s.version OFFSET 0) AS e
        WHERE s.ledger_account_id > 0
        UNION ALL
        SELECT s.ledger_account_id, s.account_id, s.version, s.kind, s.owner, s.links, e.*
        FROM seal s CROSS JOIN LATERAL (
          SELECT row_number() OVER past AS at, s.first + row_number() OVER past AS version, amount_centavos,
            (s.balance_before + sum(amount_centavos) OVER past)::bigint,
            (s.credit_before + sum(greatest(amount_centavos, 0)) OVER past)::bigint, transfer_id
          FROM ledger_entries WHERE transfer_id > s.transfer_before AND transfer_id <= s.transfer_id
            -- So that it is not read by this: half of all entries are one platform account's.
            AND ledger_account_id + 0 = s.ledger_account_id
          WINDOW past AS (ORDER BY transfer_id, id)) AS e
        WHERE s.ledger_account_id < 0
      )`;

/** Names only the first changed entry of a platform account: all after it have other sums. */
const CHANGED = (chained: string) => `WITH ${SEALS(chained)}, ${ENTRIES}, changed AS (
        SELECT entry.*, t.kind AS posting, t.transaction_id,
          row_number() OVER (PARTITION BY entry.ledger_account_id ORDER BY entry.version) AS nth
        FROM entry CROSS JOIN LATERAL (SELECT * FROM ledger_transfers WHERE id = entry.transfer_id OFFSET 0) AS t
        WHERE substring(entry.links FROM (entry.at * 32 + 1)::int FOR 32) <> proof_link(
          substring(entry.links FROM (entry.at * 32 - 31)::int FOR 32), proof_entry_text(entry.version, entry.amount,
            entry.balance, entry.credit, CASE WHEN entry.account_id <> t.account_id
              THEN proof_part(t.transaction_id, entry.account_id) ELSE t.transaction_id END, t.kind, t.created_at, t.reference))
      )
      SELECT format('transfer %s (%s of transaction %s) is entry %s of ledger account %s (%s of %s), and is not as it was sealed',
        transfer_id, posting, transaction_id, version, ledger_account_id, kind, owner) AS detail
      FROM changed WHERE ledger_account_id > 0 OR nth = 1 ORDER BY transfer_id`;

const FOLLOWED = (chained: string) => `WITH ${SEALS(chained)}, ${ENTRIES}, sums AS (
        SELECT ledger_account_id, seal, count(*) AS entries, (array_agg(balance ORDER BY version DESC))[1] AS balance, max(credit) AS credit
        FROM entry GROUP BY ledger_account_id, seal
      ), ends AS (
        SELECT s.*, coalesce(e.entries, 0) AS entries, e.balance, e.credit
        FROM seal s LEFT JOIN sums e ON e.ledger_account_id = s.ledger_account_id AND e.seal = s.version
      )
      SELECT format('ledger account %s (%s of %s): the seal of entries %s to %s on %s follows entry %s, and has %s entries that come to %s with %s of credits',
        ledger_account_id, kind, owner, first + 1, version, day, version_before, entries, balance, credit) AS detail
      FROM ends
      WHERE first <> version_before OR substring(links FOR 32) <> link_before OR transfer_id < transfer_before
        OR entries <> version - first OR (balance, credit) IS DISTINCT FROM (balance_centavos, credit_centavos)`;

/** What is in no chain yet is little, and is looked up by ledger account. */
const LEFT_OUT =
  () => `SELECT format('transfer %s has entry %s of ledger account %s, whose chain ends at %s', e.transfer_id, e.version,
        e.ledger_account_id, coalesce(s.version, 0)) AS detail
      FROM ledger_sealing g CROSS JOIN ledger_accounts a LEFT JOIN LATERAL (
          SELECT version FROM ledger_seals s WHERE s.ledger_account_id = a.id ORDER BY s.day DESC, s.version DESC LIMIT 1) AS s ON true
        CROSS JOIN LATERAL (
          SELECT * FROM ledger_entries WHERE ledger_account_id = a.id AND version > coalesce(s.version, 0) OFFSET 0) AS e
      WHERE a.id > 0 AND e.transfer_id <= g.transfer_id`;

const rule = (name: string, sqlOf: (chained: string) => string): LedgerRule => ({
  rule: name,
  sql: sqlOf('0'),
  sinceSql: ({ chained }) => sqlOf(chained),
});

/** The rules of the ledger proof's chains; those of its heads are checkHeads'. */
export const PROOF_RULES: readonly LedgerRule[] = [
  rule('every sealed entry is as it was sealed', CHANGED),
  rule('every seal follows the one before it, and has its entries', FOLLOWED),
  rule('no transfer is left out of the chains', LEFT_OUT),
];
