/**
 * What only a superuser, a bad migration or a bad disk can do to the chains and heads of a ledger
 * that fillLedger has filled and that is sealed, with the rule of checkLedger that finds it and
 * what it reports. `$name` is one of fillLedger's ids.
 */
export const PROOF_DISCREPANCIES: readonly { what: string; plant: string; rule: string; detail: string }[] = [
  {
    what: 'the instant of a sealed transfer is changed',
    plant: `UPDATE ledger_transfers SET created_at = created_at - interval '1 millisecond' WHERE id = $chargeTransfer`,
    rule: 'every sealed entry is as it was sealed',
    detail: 'transfer $chargeTransfer (charge_paid of transaction $charge) is entry 1 of ledger account $available',
  },
  {
    what: 'a sealed entry of the platform is changed',
    plant: `UPDATE ledger_entries SET amount_centavos = amount_centavos - 1 WHERE transfer_id = $chargeTransfer AND ledger_account_id = -1`,
    rule: 'every sealed entry is as it was sealed',
    detail: 'is entry 1 of ledger account -1 (pix_settlement of platform-live)',
  },
  {
    what: 'a link is changed',
    plant: `UPDATE ledger_seals SET link = sha256('x') WHERE ledger_account_id = $available`,
    rule: 'every sealed entry is as it was sealed',
    detail: 'of ledger account $available (available of $account)',
  },
  {
    what: 'the last entry, its transfer and its balance are gone together',
    plant: `WITH gone AS (DELETE FROM ledger_entries WHERE transfer_id = $lastTransfer RETURNING *),
        transfer AS (DELETE FROM ledger_transfers WHERE id = $lastTransfer)
      UPDATE ledger_accounts a SET balance_centavos = balance_centavos - gone.amount_centavos, version = a.version - 1
      FROM gone WHERE a.id = gone.ledger_account_id AND a.id > 0`,
    rule: 'every seal follows the one before it, and has its entries',
    detail: 'ledger account $pending (pending of $account): the seal of entries 1 to',
  },
  {
    what: 'an entry of the platform is put in before',
    plant: `INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos) VALUES ($chargeTransfer, -1, 5)`,
    rule: 'every seal follows the one before it, and has its entries',
    detail: 'ledger account -1 (pix_settlement of platform-live)',
  },
  {
    what: 'what a chain begins with is changed',
    plant: `UPDATE ledger_chains SET start = sha256('x') WHERE ledger_account_id = $available`,
    rule: 'every seal follows the one before it, and has its entries',
    detail: 'ledger account $available',
  },
  {
    what: 'a chain has lost its seals',
    plant: 'DELETE FROM ledger_seals WHERE ledger_account_id = $pending',
    rule: 'no transfer is left out of the chains',
    detail: 'transfer $lastTransfer has entry',
  },
  {
    what: 'a root is changed',
    plant: `UPDATE ledger_heads SET root = sha256('x')`,
    rule: 'every day’s head is signed, and is what its chains come to',
    detail: 'the head of 2026-11-21 has the root',
  },
  {
    what: 'a head is missing',
    plant: `DELETE FROM ledger_heads WHERE day = '2026-11-21'`,
    rule: 'every day’s head is signed, and is what its chains come to',
    detail: 'the head of 2026-11-22 does not follow the one before it',
  },
  {
    what: 'a signature is of something else',
    plant: `UPDATE ledger_heads h SET signature = other.signature FROM ledger_heads other WHERE other.day <> h.day`,
    rule: 'every day’s head is signed, and is what its chains come to',
    detail: 'the head of 2026-11-21 has a signature of something else',
  },
];
