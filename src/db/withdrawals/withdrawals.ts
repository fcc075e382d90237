import type pg from 'pg';
import type { TransactionType, WithdrawalStatus } from '#domain/transactions/transaction-states.ts';
import { APPROVE_WITHIN_MS, type WithdrawalSubStatus } from '#domain/withdrawals/approvals.ts';
import { askNoted } from '../audit/ask-noted.ts';
import type { EntryWithoutNotices } from '../audit/audit.ts';
import type { Destination, PayeeBlock } from '../payees/payees.ts';
import { merchantRow, type NewMerchantColumns } from '../transactions/references.ts';
import type { MoneyOutAsker, MoneyOutBlock } from './find-pause-end.ts';

/**
 * Withdrawals as they are requested and read. Each change is one SQL function (see the ledger's
 * migrations), one commit, with ledger, event and deliveries; what becomes of them at the provider
 * is in payouts.ts.
 */

export type WithdrawalType = Extract<TransactionType, 'pix_out' | 'crypto_out'>;

export type NewWithdrawal = {
  id: string;
  accountId: string;
  type: WithdrawalType;
  amountCentavos: bigint;
  feeCentavos: bigint;
  /**
   * What leaves: over PIX the amount (the fee comes on top), over crypto the amount without the
   * fee.
   */
  netCentavos: bigint;
  /** Sealed. */
  description: string | null;
  merchant: NewMerchantColumns;
  searchTokens: bigint[];
  rail: string;
  /** Where it goes, as the account's payees are found. */
  destination: Destination;
  now: Date;
} & (
  | { type: 'pix_out'; pixKey: { sealed: string; index: Buffer; type: string } }
  | {
      type: 'crypto_out';
      crypto: { currency: string; units: bigint; wallet: string; memo: string | null; quote: StoredQuote };
    }
);

/** The quote a transaction was made at. Prices in 10^-8 BRL. */
export type StoredQuote = {
  /** With the spread in it. */
  price: bigint;
  spreadBps: number;
  at: Date;
  sources: { source: string; price: bigint; at: Date }[];
};

/**
 * `pending_approval`: requested, and not sent before a second person approves it, or any member
 * whose role sends money, where an assistant asked. `scheduled`: begins later. `exists`: this id
 * was requested before, nothing happened. `reference_taken`: its reference was to be unique, and
 * something else of the account has it. `key_call_cap`, `key_day_cap`: an assistant asked for more
 * than its key may.
 */
export type RequestOutcome =
  | 'requested'
  | 'scheduled'
  | 'pending_approval'
  | 'exists'
  | 'reference_taken'
  | MoneyOutBlock
  | PayeeBlock
  | 'key_call_cap'
  | 'key_day_cap'
  | 'daily_limit'
  | 'night_limit'
  | 'insufficient_funds';

/** From its first instant up to, and without, the end. */
export type Period = { start: Date; end: Date };

/** The periods of an instant whose withdrawals count together; `night` is null by day. */
export type LimitPeriods = { day: Period; night: Period | null };

/**
 * Decides on who asks, where it goes, limits and balance, holds the money, writes the withdrawal
 * and the task that sends it, or the approval that it waits for: one statement, so that of any
 * number at once none passes a limit or the balance. `periods` are those of the withdrawal's `now`.
 */
export async function requestWithdrawal(
  db: pg.Pool,
  withdrawal: NewWithdrawal,
  { day, night }: LimitPeriods,
  by: MoneyOutAsker,
  audit: EntryWithoutNotices | null = null,
): Promise<RequestOutcome> {
  return askNoted(
    db,
    'SELECT withdrawal_request($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, true, $12) AS outcome',
    [
      JSON.stringify(rowOf(withdrawal)),
      ...[day.start, day.end, night?.start ?? null, night?.end ?? null],
      ...[by.keyId, by.memberId, new Date(withdrawal.now.getTime() + APPROVE_WITHIN_MS)],
      ...destinationValues(withdrawal.destination),
      withdrawal.merchant.uniqueIndexes,
    ],
    audit && { entry: audit, when: REQUESTED },
  );
}

/** The outcomes with which a withdrawal was requested, so that the audit says by whom. */
export const REQUESTED = ['requested', 'scheduled', 'pending_approval'] as const satisfies RequestOutcome[];

/** The parameters of the SQL functions that check where a withdrawal goes. */
export const destinationValues = ({ pixKeyIndexes, network, wallets }: Destination) => [
  pixKeyIndexes,
  network,
  wallets,
];

/**
 * A row of transactions; columns that are not named are null. bigint goes as text: JSON numbers are
 * doubles to many readers.
 */
export function rowOf(w: NewWithdrawal): Record<string, unknown> {
  const common = {
    id: w.id,
    account_id: w.accountId,
    type: w.type,
    status: 'pending',
    amount_centavos: String(w.amountCentavos),
    fee_centavos: String(w.feeCentavos),
    net_centavos: String(w.netCentavos),
    split_centavos: 0,
    description: w.description,
    ...merchantRow(w.merchant),
    search_tokens: w.searchTokens.map(String),
    rail: w.rail,
    received_units: 0,
    in_time_units: 0,
    settled_units: 0,
    quoted_units: 0,
    credited_centavos: 0,
    credited_fee_centavos: 0,
    reviewed_centavos: 0,
    confirmations: 0,
    tx_hashes: [],
    refunded_centavos: 0,
    created_at: w.now,
    updated_at: w.now,
  };
  if (w.type === 'pix_out') {
    const { sealed, index, type } = w.pixKey;
    return { ...common, pix_key: sealed, pix_key_index: `\\x${index.toString('hex')}`, pix_key_type: type };
  }
  const { currency, units, wallet, memo, quote } = w.crypto;
  return { ...common, currency, units: String(units), wallet, memo, ...quoteColumns(quote) };
}

export const quoteColumns = (quote: StoredQuote) => ({
  quote_price: String(quote.price),
  quote_spread_bps: quote.spreadBps,
  quoted_at: quote.at,
  quote_sources: quote.sources.map(({ source, price, at }) => ({ source, price: String(price), at })),
});

export type WithdrawalRow = {
  id: string;
  accountId: string;
  type: WithdrawalType;
  status: WithdrawalStatus;
  subStatus: WithdrawalSubStatus | null;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  /** Sealed, as the merchant's own. */
  description: string | null;
  reference: string | null;
  metadata: string | null;
  rail: string;
  /** Sealed. */
  pixKey: string | null;
  pixKeyType: string | null;
  /** Sealed; null until the provider has said it. */
  receiverName: string | null;
  currency: string | null;
  units: bigint | null;
  wallet: string | null;
  memo: string | null;
  providerId: string | null;
  endToEndId: string | null;
  payoutStep: 'sending' | 'unknown' | 'sent' | null;
  payoutSentAt: Date | null;
  failureCode: string | null;
  createdAt: Date;
  paidAt: Date | null;
  /** When it begins, or was to begin; null: it was to be sent at once. */
  scheduledFor: Date | null;
  livemode: boolean;
};

/**
 * The withdrawal, or null. Does not check the account: callers act for the rail or the worker, or
 * have checked it.
 */
export async function findWithdrawal(db: pg.Pool, id: string): Promise<WithdrawalRow | null> {
  const { rows } = await db.query<WithdrawalRow>({
    name: 'find-withdrawal',
    text: `SELECT t.id, t.account_id AS "accountId", t.type, t.status, t.sub_status AS "subStatus", t.amount_centavos AS "amountCentavos",
        t.fee_centavos AS "feeCentavos", t.net_centavos AS "netCentavos", t.description, t.reference, t.metadata, t.rail, t.pix_key AS "pixKey",
        t.pix_key_type AS "pixKeyType", t.receiver_name AS "receiverName", t.currency, t.units, t.wallet, t.memo, t.provider_id AS "providerId",
        t.end_to_end_id AS "endToEndId", t.payout_step AS "payoutStep", t.payout_sent_at AS "payoutSentAt",
        t.failure_code AS "failureCode", t.created_at AS "createdAt", t.paid_at AS "paidAt",
        t.scheduled_for AS "scheduledFor", a.mode = 'live' AS livemode
      FROM transactions t JOIN accounts a ON a.id = t.account_id WHERE t.id = $1 AND t.type IN ('pix_out', 'crypto_out')`,
    values: [id],
  });
  return rows[0] ?? null;
}

/**
 * What has been withdrawn in these periods, without fees and failed ones, in centavos: the rows
 * that requestWithdrawal decides by.
 */
export async function findLimitUsage(
  db: pg.Pool,
  accountId: string,
  { day, night }: LimitPeriods,
): Promise<{ pixToday: bigint; pixTonight: bigint; cryptoToday: bigint }> {
  const { rows } = await db.query<{ used: 'pix_out day' | 'pix_out night' | 'crypto_out day'; centavos: bigint }>(
    `SELECT type || ' ' || period AS used, centavos FROM limit_usage
     WHERE account_id = $1 AND (period, starts_at) IN (('day', $2), ('night', $3))`,
    [accountId, day.start, night?.start ?? null],
  );
  const used = new Map(rows.map((row) => [row.used, row.centavos]));
  return {
    pixToday: used.get('pix_out day') ?? 0n,
    pixTonight: used.get('pix_out night') ?? 0n,
    cryptoToday: used.get('crypto_out day') ?? 0n,
  };
}
