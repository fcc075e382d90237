import type pg from 'pg';
import { post, postPart } from '#db/ledger.ts';
import { chargeChanges } from './ledger-charges.ts';
import { fund, insertTransaction, markPaid, NOW, openTestAccount } from './ledger-fixture.ts';

/**
 * What only a superuser, a bad migration or a bad disk can do to the ledger of fillLedger, with the rules of checkLedger that
 * tell of it and what they tell. `$name` is one of its ids.
 */
export const FAULTS: [fault: string, plant: string, found: Record<string, string>][] = [
  [
    'an entry is changed',
    'UPDATE ledger_entries SET amount_centavos = amount_centavos + 1 WHERE id = $entry',
    {
      'every transfer sums to zero': 'transfer $chargeTransfer (charge_paid of transaction $charge) sums to 1',
      'every stored balance is the sum of its entries': 'ledger account $available (available of account $account)',
      'every entry follows the one before it': 'entry $entry of ledger account $available',
      'every transfer moves what its transaction says': 'transfer $chargeTransfer (charge_paid of transaction $charge)',
    },
  ],
  [
    'a balance is changed',
    'UPDATE ledger_accounts SET balance_centavos = balance_centavos + 1 WHERE id = $available',
    {
      'every stored balance is the sum of its entries': 'ledger account $available (available of account $account)',
    },
  ],
  [
    'an entry is missing',
    'DELETE FROM ledger_entries WHERE id = $entry',
    {
      'every transfer sums to zero': 'transfer $chargeTransfer (charge_paid of transaction $charge)',
      'every stored balance is the sum of its entries': 'ledger account $available (available of account $account)',
      'every entry follows the one before it': 'of ledger account $available: version 2 after 0',
      'every transfer moves what its transaction says': 'transfer $chargeTransfer (charge_paid of transaction $charge)',
    },
  ],
  [
    'a version is left out',
    `UPDATE ledger_entries SET version = version + 1 WHERE ledger_account_id = $available
      AND version = (SELECT version FROM ledger_accounts WHERE id = $available)`,
    { 'every entry follows the one before it': 'of ledger account $available' },
  ],
  [
    'the last entry and its balance are gone together, the transfer made to fit',
    `WITH gone AS (DELETE FROM ledger_entries WHERE transfer_id IN
        (SELECT id FROM ledger_transfers WHERE transaction_id = $charge AND kind = 'refund') RETURNING ledger_account_id, amount_centavos),
      transfer AS (DELETE FROM ledger_transfers WHERE transaction_id = $charge AND kind = 'refund')
      UPDATE ledger_accounts a SET balance_centavos = balance_centavos - gone.amount_centavos
      FROM gone WHERE a.id = gone.ledger_account_id AND a.id > 0`,
    {
      'every stored balance is the sum of its entries': 'ledger account $available (available of account $account)',
    },
  ],
  [
    'live money meets test money',
    `UPDATE ledger_entries SET ledger_account_id = ledger_account_id - 10 WHERE transfer_id = $chargeTransfer AND ledger_account_id < 0`,
    { 'test and live money never meet in one transfer': 'transfer $chargeTransfer touches both modes' },
  ],
  [
    'a paid charge has no credit',
    `UPDATE transactions SET status = 'paid' WHERE id = $reviewed`,
    {
      'every paid charge has exactly its credit, no other charge has one':
        'transaction $reviewed is paid with 0 charge_paid transfers',
    },
  ],
  [
    'a charge has its credit and is not paid',
    `UPDATE transactions SET status = 'expired' WHERE id = $charge`,
    {
      'every paid charge has exactly its credit, no other charge has one':
        'transaction $charge is expired with 1 charge_paid transfers',
    },
  ],
  [
    'a charge was paid for more than it was credited with',
    'UPDATE transactions SET amount_centavos = amount_centavos + 1, net_centavos = net_centavos + 1 WHERE id = $charge',
    { 'every transfer moves what its transaction says': 'moves 1000 instead of 1001' },
  ],
  [
    'a transfer has lost its entries',
    'DELETE FROM ledger_entries WHERE transfer_id = $suspenseTransfer',
    { 'every transfer moves what its transaction says': 'transfer $suspenseTransfer (suspense of' },
  ],
  [
    'money in review is not in suspense',
    `WITH entries AS (DELETE FROM ledger_entries WHERE transfer_id = $suspenseTransfer)
      DELETE FROM ledger_transfers WHERE id = $suspenseTransfer`,
    { 'every reviewed payment is in suspense': 'of transaction $reviewed: payment E-other-amount' },
  ],
  [
    'a completed withdrawal never held anything',
    `UPDATE ledger_transfers SET kind = 'withdrawal_of_old' WHERE transaction_id = $withdrawal AND kind = 'withdrawal_requested'`,
    { 'what is held is released once, what is given back was received': 'transaction $withdrawal has' },
  ],
  [
    'the money is another merchant’s',
    'UPDATE transactions SET account_id = $account WHERE id = $otherCharge',
    {
      'money moves between the accounts of its transaction and the platform':
        'of transaction $otherCharge is in ledger account',
    },
  ],
];

/** The ids that the faults are planted on, by name. */
export type LedgerIds = Record<string, string | bigint>;

/** Writes past every trigger and foreign key, as only a superuser can. */
export async function plantFault(db: pg.Pool, sql: string): Promise<void> {
  await db.query(`BEGIN; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`);
}

/** A text with the ids of this ledger in the places of their names. */
export const withIds = (text: string, ids: LedgerIds, write: (id: string | bigint) => string): string =>
  text.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`The sound ledger has no ${name}.`);
    return write(id);
  });

/** A ledger with a bit of everything; gives the ids that the faults are planted on. */
export async function fillLedger(db: pg.Pool): Promise<LedgerIds> {
  const [account, receiver, other] = [
    await openTestAccount(db, 'live'),
    await openTestAccount(db, 'live'),
    await openTestAccount(db, 'test'),
  ];
  const charge = await fund(db, account, 1_000n);
  const otherCharge = await fund(db, other, 500n);
  const split = { account: receiver, centavos: 30n };
  const divided = await insertTransaction(db, { account, amountCentavos: 100n, feeCentavos: 5n, split });
  await post(db, 'charge_paid', divided.id, NOW);
  await markPaid(db, divided.id);

  const withdrawal = await insertTransaction(db, {
    account,
    type: 'pix_out',
    amountCentavos: 50n,
    feeCentavos: 1n,
  });
  await post(db, 'withdrawal_requested', withdrawal.id, NOW);
  await post(db, 'withdrawal_completed', withdrawal.id, NOW);
  const deposit = await insertTransaction(db, {
    account,
    type: 'crypto_in',
    amountCentavos: 70n,
    feeCentavos: 2n,
  });
  await post(db, 'crypto_seen', deposit.id, NOW);
  await post(db, 'crypto_confirmed', deposit.id, NOW);
  const reviewed = await insertTransaction(db, { account, amountCentavos: 100n });
  await chargeChanges(db).review(reviewed.id, { endToEndId: 'E-other-amount', receivedCentavos: 90n });
  await postPart(db, 'dispute', { transactionId: charge.id, reference: 'd', centavos: 10n, now: NOW });
  await postPart(db, 'refund', { transactionId: charge.id, reference: 'r', centavos: 20n, now: NOW });

  const { rows } = await db.query<Record<string, bigint>>(
    `SELECT ledger_account($1, 'available') AS available,
      (SELECT id FROM ledger_transfers WHERE transaction_id = $2) AS "suspenseTransfer", t.id AS "chargeTransfer",
      (SELECT id FROM ledger_entries WHERE transfer_id = t.id AND ledger_account_id > 0) AS entry
     FROM ledger_transfers t WHERE t.transaction_id = $3 AND t.kind = 'charge_paid'`,
    [account.id, reviewed.id, charge.id],
  );
  const transactions = {
    charge: charge.id,
    otherCharge: otherCharge.id,
    withdrawal: withdrawal.id,
    reviewed: reviewed.id,
  };
  return { ...transactions, account: account.id, ...rows[0] } as LedgerIds;
}
