import type pg from 'pg';
import { uuidv7 } from '#domain/values/uuid.ts';
import { recordForeignPayout } from '../unmatched/foreign-payouts.ts';
import { recordUnmatched } from '../unmatched/unmatched.ts';
import { chargeChanges } from './charge-changes.ts';
import {
  fund,
  insertTransaction,
  NOW,
  newEndToEndId,
  openTestAccount,
  RAIL,
  writeDisputesOfPostings,
} from './ledger-fixture.ts';
import { credited, invoiceChanges, seen } from './ledger-invoices.ts';
import { newRefund, refundChanges } from './ledger-refunds.ts';
import { newCryptoOut, newPixOut, withdrawalChanges } from './ledger-withdrawals.ts';
import { postPart } from './postings.ts';

/**
 * What only a superuser, a bad migration or a bad disk can do to the ledger of fillLedger, with the
 * rules of checkLedger that find it and what they report. `$name` is one of its ids.
 */
export const DISCREPANCIES: [what: string, plant: string, found: Record<string, string>][] = [
  [
    'an entry is changed',
    'UPDATE ledger_entries SET amount_centavos = amount_centavos + 1 WHERE id = $entry',
    {
      'every transfer sums to zero': 'transfer $chargeTransfer (charge_paid of transaction $charge) sums to 1',
      'every stored balance is the sum of its entries': 'ledger account $available (available of account $account)',
      'every entry follows the one before it': 'entry $entry of ledger account $available',
      'every transfer’s figures are what its entries come to':
        'transfer $chargeTransfer (charge_paid of transaction $charge)',
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
    'money of the installation is said to be at the account’s own provider',
    'UPDATE ledger_accounts SET own_centavos = own_centavos + 5 WHERE id = $available',
    {
      'what of a balance is held over credentials of an account’s own is what came over them':
        'account $account stores 5 of its available balance as held over own credentials, their entries sum to 0',
    },
  ],
  [
    'a sum of credits is changed, of an account and of its last entry',
    `UPDATE ledger_accounts SET credit_centavos = credit_centavos + 1 WHERE id = $available;
      UPDATE ledger_entries SET credit_after_centavos = credit_after_centavos + 2 WHERE ledger_account_id = $available
      AND version = (SELECT version FROM ledger_accounts WHERE id = $available)`,
    {
      'every stored balance is the sum of its entries': 'ledger account $available (available of account $account)',
      'every entry follows the one before it': 'of ledger account $available',
    },
  ],
  [
    'a total of an hour says what its transfers do not',
    `INSERT INTO account_totals (account_id, unit, starts_at, kind, count, gross_centavos)
      VALUES ($account, 'hour', '2026-10-01T12:00:00Z', 'pix_in', 1, 500);
      UPDATE totals_progress SET closed_until = '2026-10-02T03:00:00Z', sealed_until = '2026-10-02T03:00:00Z'`,
    {
      'every total of an hour or a day is what its transfers and charges come to': 'account $account: the hour from',
    },
  ],
  [
    'an entry is missing',
    'DELETE FROM ledger_entries WHERE id = $entry',
    {
      'every transfer sums to zero': 'transfer $chargeTransfer (charge_paid of transaction $charge)',
      'every stored balance is the sum of its entries': 'ledger account $available (available of account $account)',
      'every entry follows the one before it': 'of ledger account $available: version 2 after 0',
      'every transfer’s figures are what its entries come to':
        'transfer $chargeTransfer (charge_paid of transaction $charge)',
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
    `WITH gone AS (DELETE FROM ledger_entries WHERE transfer_id = $lastTransfer RETURNING ledger_account_id, amount_centavos),
      transfer AS (DELETE FROM ledger_transfers WHERE id = $lastTransfer)
      UPDATE ledger_accounts a SET balance_centavos = balance_centavos - gone.amount_centavos
      FROM gone WHERE a.id = gone.ledger_account_id AND a.id > 0`,
    {
      'every stored balance is the sum of its entries': 'ledger account $pending (pending of account $account)',
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
    {
      'every transfer moves what its transaction says': 'transfer $suspenseTransfer (suspense of',
      'what is in suspense waits for a decision': 'live has 0 in suspense, 90 wait for a decision',
    },
  ],
  [
    'money in review is not in suspense',
    `WITH entries AS (DELETE FROM ledger_entries WHERE transfer_id = $suspenseTransfer)
      DELETE FROM ledger_transfers WHERE id = $suspenseTransfer`,
    {
      'every reviewed payment is in suspense': 'of transaction $reviewed: payment E-other-amount',
      'what is in suspense waits for a decision': 'live has 0 in suspense, 90 wait for a decision',
    },
  ],
  [
    'a review is called resolved while its money is in suspense',
    `UPDATE reviews SET resolved_at = created_at, resolution = 'credit', resolved_by = 'x' WHERE transaction_id = $reviewed`,
    { 'what is in suspense waits for a decision': 'live has 90 in suspense, 0 wait for a decision' },
  ],
  [
    'an account owes and has something available',
    `INSERT INTO ledger_accounts (id, account_id, kind, mode, balance_centavos, version) VALUES (999999, $account, 'owed', 'live', -5, 0)`,
    {
      'an account that owes has nothing available': 'account $account owes 5 and has',
      'every stored balance is the sum of its entries': 'ledger account 999999 (owed of account $account)',
    },
  ],
  [
    'a completed withdrawal never held anything',
    `UPDATE ledger_transfers SET kind = 'withdrawal_of_old' WHERE transaction_id = $withdrawal AND kind = 'withdrawal_requested'`,
    {
      'every transfer moves money between the ledger accounts of its kind':
        '(withdrawal_of_old of transaction $withdrawal) has entries in available, blocked',
      'what is held is released once, what is given back was received': 'transaction $withdrawal has',
      'every withdrawal is held once, and ends the way the ledger says': 'transaction $withdrawal is paid with',
    },
  ],
  [
    'a withdrawal that completed is called failed',
    `UPDATE transactions SET status = 'failed' WHERE id = $withdrawal`,
    {
      'every withdrawal is held once, and ends the way the ledger says':
        'transaction $withdrawal is failed with withdrawal_completed, withdrawal_requested',
      'what is used of a limit is what its withdrawals come to':
        'account $account has used 50 of its day limit of pix_out from 2026-11-21 03:00:00+00, its withdrawals come to 0',
    },
  ],
  [
    'a withdrawal that completed is said to have been scheduled, and never begun',
    `UPDATE transactions SET status = 'failed', scheduled_for = created_at WHERE id = $withdrawal`,
    {
      'every withdrawal is held once, and ends the way the ledger says':
        'transaction $withdrawal is failed with withdrawal_completed, withdrawal_requested',
      'what is used of a limit is what its withdrawals come to':
        'account $account has used 50 of its day limit of pix_out from 2026-11-21 03:00:00+00, its withdrawals come to 0',
    },
  ],
  [
    'a withdrawal is in review without having ended',
    `UPDATE transactions SET status = 'review' WHERE id = $openWithdrawal`,
    {
      'every withdrawal is held once, and ends the way the ledger says':
        'transaction $openWithdrawal is review with withdrawal_requested',
      'what is blocked is held by open withdrawals, open refunds and disputes':
        'account $account has 38 blocked, 17 are',
    },
  ],
  [
    'what is used of a limit is less than what was withdrawn',
    `UPDATE limit_usage SET centavos = centavos - 1 WHERE account_id = $account AND type = 'crypto_out'`,
    {
      'what is used of a limit is what its withdrawals come to':
        'account $account has used 20 of its day limit of crypto_out from 2026-11-21 03:00:00+00, its withdrawals come to 21',
    },
  ],
  [
    'a withdrawal counts for no limit',
    `DELETE FROM limit_usage WHERE account_id = $account AND type = 'crypto_out'`,
    {
      'every withdrawal that was asked for counts in one day, and by night in that night':
        'transaction $openWithdrawal of 2026-11-21 12:00:00+00 counts in 0 days and 0 nights',
    },
  ],
  [
    'a withdrawal has no transfer at all',
    `INSERT INTO transactions (id, account_id, type, amount_centavos, fee_centavos, net_centavos, rail, pix_key, pix_key_type,
        created_at, updated_at)
      VALUES (gen_random_uuid(), $account, 'pix_out', 5, 0, 5, 'sandbox', 'sealed', 'evp', '2026-11-21T12:00:00Z', '2026-11-21T12:00:00Z')`,
    {
      'every withdrawal is held once, and ends the way the ledger says': 'is pending with nothing',
      'what is blocked is held by open withdrawals, open refunds and disputes':
        'account $account has 38 blocked, 43 are',
      'what is under way has its task': 'is pending and has no task payout',
      'what is used of a limit is what its withdrawals come to':
        'account $account has used 50 of its day limit of pix_out from 2026-11-21 03:00:00+00, its withdrawals come to 55',
    },
  ],
  [
    'a refund was asked for another amount than it holds',
    'UPDATE refunds SET centavos = centavos + 1 WHERE id = $openRefund',
    {
      'every transfer moves what its transaction says': 'moves 7 instead of 8',
      'what is blocked is held by open withdrawals, open refunds and disputes':
        'account $account has 38 blocked, 39 are',
    },
  ],
  [
    'a refund holds money and is nowhere',
    'DELETE FROM refunds WHERE id = $openRefund',
    {
      'every transfer moves what its transaction says': 'moves 7 instead of 0',
      'what is blocked is held by open withdrawals, open refunds and disputes':
        'account $account has 38 blocked, 31 are',
    },
  ],
  [
    'a refund that was sent back to the payer is called failed',
    `UPDATE refunds SET status = 'failed' WHERE id = $refund`,
    {
      'a refund’s hold ends once, the way the refund ended':
        'refund $refund of transaction $charge is failed with refund_completed, refund_requested',
      'a charge says of its refunds what they are': 'transaction $charge says 20 are refunded, its refunds say 0',
    },
  ],
  [
    'a refund was sent and released',
    `INSERT INTO ledger_transfers (id, transaction_id, kind, reference, created_at, account_id, type)
        VALUES (1000, $charge, 'refund_failed', $refund, '2026-11-21T12:00:00Z', $account, 'pix_in');
      INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos) VALUES (1000, -1, 20), (1000, -2, -20)`,
    {
      'a refund’s hold ends once, the way the refund ended':
        'is completed with refund_completed, refund_failed, refund_requested',
      'every transfer moves money between the ledger accounts of its kind':
        '(refund_failed of transaction $charge) has entries in crypto_settlement',
    },
  ],
  [
    'a charge is said to be given back in full',
    'UPDATE transactions SET refunded_centavos = amount_centavos WHERE id = $charge',
    { 'a charge says of its refunds what they are': 'transaction $charge says 1000 are refunded, its refunds say 20' },
  ],
  [
    'a charge is called refunded and is not',
    `UPDATE transactions SET status = 'refunded' WHERE id = $charge`,
    { 'a charge says of its refunds what they are': 'transaction $charge says 20 are refunded, its refunds say 20' },
  ],
  [
    'a refund is of a charge that was never paid',
    `UPDATE ledger_transfers SET transaction_id = $reviewed WHERE kind = 'dispute'`,
    { 'what is held is released once, what is given back was received': 'transaction $reviewed has' },
  ],
  [
    'money is blocked that nothing holds',
    `UPDATE disputes SET state = 'won', held_centavos = 0 WHERE account_id = $account`,
    {
      'what is blocked is held by open withdrawals, open refunds and disputes':
        'account $account has 38 blocked, 28 are',
    },
  ],
  [
    'a deposit is said to be credited with more than it was',
    'UPDATE transactions SET credited_centavos = credited_centavos + 1 WHERE id = $deposit',
    {
      'every crypto deposit says of its credit what the ledger has':
        'transaction $deposit says 71 credited with 2 of fee, the ledger has 70 with 2',
      'every crypto deposit is the sum of its increments': '71 credited and 0 in review; its increments have',
    },
  ],
  [
    'a deposit is said to have more in review than is in suspense',
    'UPDATE transactions SET reviewed_centavos = reviewed_centavos + 1 WHERE id = $deposit',
    {
      'what a crypto deposit has in review is in suspense':
        'transaction $deposit says 1 are in review, its reviews have 0 and suspense 0',
      'every crypto deposit is the sum of its increments': 'transaction $deposit has',
    },
  ],
  [
    'the price that a deposit was credited at is missing',
    'DELETE FROM invoice_increments WHERE transaction_id = $deposit',
    { 'every crypto deposit is the sum of its increments': 'transaction $deposit has' },
  ],
  [
    'a deposit was credited above the price that it was worth',
    'UPDATE invoice_increments SET price = price - 1000000 WHERE transaction_id = $deposit',
    {
      'no crypto deposit gives more than the worse of its quote and the market':
        'transaction $deposit gives 70 for 70000000 units at 99000000, its own quote is 100000000',
    },
  ],
  [
    'a deposit was credited above its own quote',
    'UPDATE invoice_increments SET price = price + 1 WHERE transaction_id = $deposit',
    {
      'no crypto deposit gives more than the worse of its quote and the market':
        'transaction $deposit gives 70 for 70000000 units at 100000001, its own quote is 100000000',
    },
  ],
  [
    'more than was asked for had the invoice’s quote by right',
    `UPDATE invoice_increments SET is_quoted = true WHERE transaction_id = $deposit;
      UPDATE transactions SET quoted_units = settled_units, units = units - 1000000 WHERE id = $deposit`,
    {
      'no crypto deposit gives more than the worse of its quote and the market':
        'transaction $deposit gives 70 for 70000000 units at 100000000',
      'every crypto transaction is of as much as its reais come to at its quote':
        'transaction $deposit (crypto_in) is of 69000000 units for 70 at 100000000',
    },
  ],
  [
    'an invoice asked for half of what it credits',
    `UPDATE invoice_increments SET is_quoted = true, units = units / 2 WHERE transaction_id = $deposit;
      UPDATE transactions SET units = units / 2, settled_units = units / 2, quoted_units = units / 2 WHERE id = $deposit`,
    {
      'every crypto transaction is of as much as its reais come to at its quote':
        'transaction $deposit (crypto_in) is of 35000000 units for 70 at 100000000',
    },
  ],
  [
    'an invoice asks for more than its amount is worth',
    'UPDATE transactions SET units = units * 2 WHERE id = $openDeposit',
    {
      'every crypto transaction is of as much as its reais come to at its quote':
        'transaction $openDeposit (crypto_in) is of 140000000 units for 70 at 100000000',
    },
  ],
  [
    'a withdrawal that waits to be sent sends ten times what it holds',
    'UPDATE transactions SET units = units * 10 WHERE id = $openWithdrawal',
    {
      'every crypto transaction is of as much as its reais come to at its quote':
        'transaction $openWithdrawal (crypto_out) is of 200000000 units for 20 at 100000000',
    },
  ],
  [
    'a withdrawal sends less than it takes',
    'UPDATE transactions SET units = units - 100 WHERE id = $openWithdrawal',
    {
      'every crypto transaction is of as much as its reais come to at its quote':
        'transaction $openWithdrawal (crypto_out) is of 19999900 units for 20 at 100000000',
    },
  ],
  [
    'a withdrawal that was found after a restore sent twice what it holds',
    `INSERT INTO withdrawal_approvals (transaction_id, expires_at) VALUES ($openWithdrawal, '2026-11-28T12:00:00Z');
      UPDATE transactions SET units = units * 2 WHERE id = $openWithdrawal`,
    {
      'every crypto transaction is of as much as its reais come to at its quote':
        'transaction $openWithdrawal (crypto_out) is of 40000000 units for 20 at 100000000',
    },
  ],
  [
    'a deposit is said to have cost less',
    'UPDATE transactions SET credited_fee_centavos = 1 WHERE id = $deposit',
    {
      'every crypto deposit says of its credit what the ledger has':
        'transaction $deposit says 70 credited with 1 of fee, the ledger has 70 with 2',
    },
  ],
  [
    'a deposit is credited and not completed',
    `UPDATE transactions SET status = 'expired' WHERE id = $deposit`,
    {
      'a deposit is completed once it is credited, and only what was received is pending':
        'transaction $deposit is expired with 70000000 received, 70 credited and 0 pending',
    },
  ],
  [
    'what a deposit had pending has vanished, and is pending still',
    'UPDATE transactions SET received_units = 0 WHERE id = $openDeposit',
    {
      'a deposit is completed once it is credited, and only what was received is pending':
        'transaction $openDeposit is pending with 0 received, 0 credited and 40 pending',
    },
  ],
  [
    'one deposit has another’s pending money',
    `UPDATE ledger_transfers SET transaction_id = $openDeposit, reference = '9' WHERE transaction_id = $deposit AND reference = '1'`,
    {
      'a deposit is completed once it is credited, and only what was received is pending':
        'transaction $deposit is completed with 70000000 received, 70 credited and -68 pending',
    },
  ],
  [
    'money is pending that no deposit brought',
    `UPDATE ledger_transfers SET kind = 'suspense' WHERE id = $lastTransfer`,
    {
      'what is pending is the account’s crypto deposits’': 'account $account has 40 pending, its deposits have 0',
      'every transfer moves money between the ledger accounts of its kind':
        'transfer $lastTransfer (suspense of transaction $openDeposit) has entries in pending',
    },
  ],
  [
    'the money is another merchant’s',
    'UPDATE transactions SET account_id = $account WHERE id = $otherCharge',
    {
      'money moves between the accounts of its transaction and the platform':
        'of transaction $otherCharge is in ledger account',
      'every transfer’s figures are what its entries come to': 'of transaction $otherCharge) says gross 500',
    },
  ],
  [
    'a transfer says another fee than it took',
    'UPDATE ledger_transfers SET fee_centavos = fee_centavos + 1 WHERE id = $chargeTransfer',
    {
      'every transfer’s figures are what its entries come to':
        'says gross 1000, fee 1, split 0, pending 0; its entries',
      'every transfer takes the fee and the split of its transaction': 'of transaction $charge) takes a fee of 1',
    },
  ],
  [
    'a transfer’s split has no account',
    `UPDATE ledger_transfers SET split_account_id = NULL WHERE split_centavos > 0`,
    { 'every transfer’s figures are what its entries come to': 'split 30' },
  ],
  [
    'another fee was taken of a charge than it says',
    'UPDATE transactions SET fee_centavos = fee_centavos + 1, net_centavos = net_centavos - 1 WHERE id = $divided',
    {
      'every transfer takes the fee and the split of its transaction':
        'of transaction $divided) takes a fee of 5 and a split of 30, its transaction says 6 and 30',
    },
  ],
  [
    'a PIX was settled over the crypto processor',
    'UPDATE ledger_entries SET ledger_account_id = -2 WHERE transfer_id = $chargeTransfer AND ledger_account_id = -1',
    {
      'every transfer moves money between the ledger accounts of its kind':
        'transfer $chargeTransfer (charge_paid of transaction $charge) has entries in crypto_settlement',
    },
  ],
  [
    'a transfer is of no known kind',
    `UPDATE ledger_transfers SET kind = 'review_credit' WHERE id = $suspenseTransfer`,
    {
      'every transfer moves money between the ledger accounts of its kind':
        'transfer $suspenseTransfer (review_credit of transaction $reviewed) has entries in pix_settlement, suspense',
      'every transfer moves what its transaction says': 'moves 90 instead of 100',
      'every reviewed payment is in suspense': 'of transaction $reviewed: payment E-other-amount',
    },
  ],
  [
    'the receiver of a part does not see it',
    'DELETE FROM transactions WHERE split_of_id = $divided',
    {
      'every part of a paid charge is a transaction of its receiver':
        'transaction $divided is paid with 30 for account',
    },
  ],
  [
    'the receiver of a part sees more than it got',
    'UPDATE transactions SET amount_centavos = 31, net_centavos = 31 WHERE split_of_id = $divided',
    { 'every part of a paid charge is a transaction of its receiver': 'with 31' },
  ],
  [
    'a deposit is completed and not credited',
    `UPDATE transactions SET status = 'completed' WHERE id = $openDeposit`,
    {
      'a deposit is completed once it is credited, and only what was received is pending':
        'transaction $openDeposit is completed with 40000000 received, 0 credited and 40 pending',
    },
  ],
  [
    'a withdrawal by night counts in no night',
    `UPDATE transactions SET created_at = '2026-11-21T23:00:00Z' WHERE id = $withdrawal`,
    {
      'every withdrawal that was asked for counts in one day, and by night in that night':
        'transaction $withdrawal of 2026-11-21 23:00:00+00 counts in 1 days and 0 nights',
    },
  ],
  [
    'what the bank gave back was taken from nobody',
    `INSERT INTO foreign_refunds (id, rail, end_to_end_id, refund_id, kind, centavos, transaction_id, created_at)
      SELECT gen_random_uuid(), rail, end_to_end_id, 'R1', 'made_at_bank', 20, id, created_at FROM transactions WHERE id = $otherCharge;
      UPDATE transactions SET refunded_centavos = 20 WHERE id = $otherCharge`,
    {
      'what was booked without a request, and what was decided, is posted once':
        'of transaction $otherCharge is of 20, and moves 0',
    },
  ],
  [
    'a return has arrived, and its money is still in the books',
    `INSERT INTO payment_returns (id, unmatched_id, rail, end_to_end_id, centavos, status, created_at)
      SELECT gen_random_uuid(), id, rail, end_to_end_id, centavos, 'completed', created_at FROM unmatched_payments WHERE id = $unmatched`,
    { 'what was booked without a request, and what was decided, is posted once': 'is of 60, and moves 0' },
  ],
  [
    'a payment went back that nobody has returned',
    `INSERT INTO ledger_transfers (id, kind, reference, created_at)
        VALUES (1000, 'unmatched_returned', gen_random_uuid()::text, '2026-11-21T12:00:00Z');
      INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos) VALUES (1000, -15, -60), (1000, -11, 60)`,
    { 'what was booked without a request, and what was decided, is posted once': 'is of something, and moves 60' },
  ],
  [
    'the payment of a charge waits in suspense as well',
    `UPDATE unmatched_payments SET end_to_end_id = (SELECT end_to_end_id FROM transactions WHERE id = $otherCharge) WHERE id = $unmatched`,
    { 'no payment is booked twice': 'of transaction $otherCharge is credited, unmatched or in review elsewhere, too' },
  ],
  [
    'nobody sends a withdrawal that holds its money',
    `DELETE FROM tasks WHERE subject_id = $openWithdrawal`,
    { 'what is under way has its task': 'transaction $openWithdrawal is pending and has no task payout' },
  ],
  [
    'nobody sends a refund that holds its money',
    `DELETE FROM tasks WHERE subject_id = $openRefund`,
    { 'what is under way has its task': 'refund $openRefund is pending and has no task refund' },
  ],
  [
    'a payment is that of two charges, over two keys of one account',
    `INSERT INTO credentials (id, rail_id, account_id, kind, sealed, is_active, created_at)
      SELECT id, id, $account, 'api_pix', 'sealed', false, '2026-11-21T12:00:00Z' FROM unnest(ARRAY[$charge, $reviewed]::uuid[]) AS id;
      UPDATE transactions SET rail = 'own-' || id, end_to_end_id = 'E-two-keys' WHERE id IN ($charge, $reviewed)`,
    {
      'no payment is booked twice': 'payment E-two-keys over own-$charge of transaction $charge',
      'what of a balance is held over credentials of an account’s own is what came over them':
        'account $account stores 0 of its available balance',
    },
  ],
];

/** The ids that the discrepancies are planted on, by name. */
export type LedgerIds = Record<string, string | bigint>;

/** Writes past every trigger and foreign key, as only a superuser can. */
export async function plantDiscrepancy(db: pg.Pool, sql: string): Promise<void> {
  await db.query(`BEGIN; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`);
}

/** A text with the ids of this ledger in the places of their names. */
export const withIds = (text: string, ids: LedgerIds, write: (id: string | bigint) => string): string =>
  text.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`The sound ledger has no ${name}.`);
    return write(id);
  });

/**
 * Makes a ledger with some of everything; returns the ids that the discrepancies are planted on.
 */
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
  await chargeChanges(db).pay(divided.id);

  const withdrawals = withdrawalChanges(db);
  const withdrawal = await withdrawals.sent(newPixOut(account, { amountCentavos: 50n, feeCentavos: 1n }));
  await withdrawals.complete(withdrawal);
  const failedWithdrawal = await withdrawals.sent(newPixOut(other, { amountCentavos: 30n }));
  await withdrawals.fail(failedWithdrawal);
  const openWithdrawal = await withdrawals.sent(newCryptoOut(account, { amountCentavos: 21n, feeCentavos: 1n }));

  const reviewed = await insertTransaction(db, { account, amountCentavos: 100n });
  await chargeChanges(db).review(reviewed.id, { endToEndId: 'E-other-amount', receivedCentavos: 90n });
  await postPart(db, 'dispute', { transactionId: charge.id, reference: 'd', centavos: 10n, now: NOW });
  const refunds = refundChanges(db);
  const [refund, openRefund] = [newRefund(charge, 20n), newRefund(charge, 7n)];
  await refunds.request(refund);
  await refunds.finish(refund.id, true);
  await refunds.request(openRefund);

  const unmatched = uuidv7(NOW);
  const atPsp = () => ({ rail: RAIL, mode: other.mode, accountId: null, endToEndId: newEndToEndId(), createdAt: NOW });
  await recordUnmatched(db, { ...atPsp(), id: unmatched, txid: null, centavos: 60n, paidAt: NOW, payerNote: null });
  const foreignPayout = uuidv7(NOW);
  await recordForeignPayout(db, { ...atPsp(), id: foreignPayout, centavos: 25n, sentAt: NOW });

  const newDeposit = { account, type: 'crypto_in' as const, amountCentavos: 70n, feeCentavos: 2n };
  const [deposit, openDeposit] = [await insertTransaction(db, newDeposit), await insertTransaction(db, newDeposit)];
  await invoiceChanges(db).bring(deposit.id, seen({ arrived: 70n, pending: 68n }));
  await invoiceChanges(db).bring(deposit.id, credited({ arrived: 70n, fee: 2n }));
  await invoiceChanges(db).bring(openDeposit.id, seen({ arrived: 40n }));

  const { rows } = await db.query<Record<string, bigint>>(
    `SELECT ledger_account($1, 'available') AS available, ledger_account($1, 'pending') AS pending,
      (SELECT max(id) FROM ledger_transfers) AS "lastTransfer",
      (SELECT id FROM ledger_transfers WHERE transaction_id = $2) AS "suspenseTransfer", t.id AS "chargeTransfer",
      (SELECT id FROM ledger_entries WHERE transfer_id = t.id AND ledger_account_id > 0) AS entry
     FROM ledger_transfers t WHERE t.transaction_id = $3 AND t.kind = 'charge_paid'`,
    [account.id, reviewed.id, charge.id],
  );
  const transactions = {
    charge: charge.id,
    otherCharge: otherCharge.id,
    divided: divided.id,
    unmatched,
    withdrawal,
    openWithdrawal,
    reviewed: reviewed.id,
    refund: refund.id,
    openRefund: openRefund.id,
    deposit: deposit.id,
    openDeposit: openDeposit.id,
  };
  await writeDisputesOfPostings(db);
  return { ...transactions, account: account.id, ...rows[0] } as LedgerIds;
}
