import type pg from 'pg';
import { dayStart, nextDayStart, nightWindow } from '#domain/values/business-day.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Destination } from '../payees/payees.ts';
import { acceptPayout, completePayout, failPayout, reviewPayout, startPayout } from '../withdrawals/payouts.ts';
import {
  findWithdrawal,
  type LimitPeriods,
  type NewWithdrawal,
  type RequestOutcome,
  requestWithdrawal,
} from '../withdrawals/withdrawals.ts';
import { NO_MERCHANT_COLUMNS, NOW, QUOTE, RAIL, type TestAccount, unitsOf } from './ledger-fixture.ts';

const periodsOf = (now: Date): LimitPeriods => ({
  day: { start: dayStart(now), end: nextDayStart(now) },
  night: nightWindow(now),
});

/** The day of NOW, and no night. */
export const BY_DAY = { ...periodsOf(NOW), night: null };

/** The installation itself. */
export const NO_ACTOR = { keyId: null, memberId: null };

const PIX_KEY_INDEX = Buffer.alloc(32);

/** Where the withdrawals below go. */
export const PIX_DESTINATION: Destination = {
  ...{ pixKeyIndexes: [PIX_KEY_INDEX], network: null, wallets: [], memo: null },
};
export const WALLET_DESTINATION: Destination = {
  ...{ pixKeyIndexes: [], network: 'bsc', wallets: ['0xabc', '0xABC'], memo: null },
};

type Amounts = { id?: string; amountCentavos: bigint; feeCentavos?: bigint; now?: Date };

/** Over PIX the fee comes on top of the amount. */
export const newPixOut = (
  { id: accountId }: TestAccount,
  amounts: Amounts,
): Extract<NewWithdrawal, { type: 'pix_out' }> => ({
  ...common(accountId, amounts),
  netCentavos: amounts.amountCentavos,
  type: 'pix_out',
  pixKey: { sealed: 'sealed', index: PIX_KEY_INDEX, type: 'evp' },
  destination: PIX_DESTINATION,
});

/** Over crypto the fee is in the amount. */
export const newCryptoOut = ({ id: accountId }: TestAccount, amounts: Amounts): NewWithdrawal => ({
  ...common(accountId, amounts),
  netCentavos: amounts.amountCentavos - (amounts.feeCentavos ?? 0n),
  type: 'crypto_out',
  crypto: {
    currency: 'USDT_BSC',
    units: unitsOf(amounts.amountCentavos - (amounts.feeCentavos ?? 0n)),
    wallet: '0xabc',
    memo: null,
    quote: QUOTE,
  },
  destination: WALLET_DESTINATION,
});

const common = (accountId: string, { id = uuidv7(NOW), amountCentavos, feeCentavos = 0n, now = NOW }: Amounts) => ({
  id,
  accountId,
  amountCentavos,
  feeCentavos,
  description: null,
  merchant: NO_MERCHANT_COLUMNS,
  searchTokens: [],
  rail: RAIL,
  now,
});

/**
 * The changes of a withdrawal, each with an event of its own, from `pending`, unless said
 * otherwise.
 */
export const withdrawalChanges = (db: pg.Pool) => ({
  request: (withdrawal: NewWithdrawal, periods: LimitPeriods = periodsOf(withdrawal.now)): Promise<RequestOutcome> =>
    requestWithdrawal(db, withdrawal, periods, NO_ACTOR),

  /** One that holds its money and was sent; gives its id. */
  async sent(withdrawal: NewWithdrawal): Promise<string> {
    const outcome = await requestWithdrawal(db, withdrawal, periodsOf(withdrawal.now), NO_ACTOR);
    if (outcome !== 'requested' || (await startPayout(db, withdrawal.id, null, NOW)) !== 'started')
      throw new Error(outcome);
    return withdrawal.id;
  },

  start: (id: string, sentBefore: Date | null = null, now: Date = NOW) => startPayout(db, id, sentBefore, now),

  accept: (id: string, change: Partial<Parameters<typeof acceptPayout>[1]> = {}) =>
    acceptPayout(db, { ...fresh('processing'), id, to: 'processing', ...change }),

  complete: (id: string, change: Partial<Parameters<typeof completePayout>[1]> = {}) =>
    completePayout(db, { ...fresh('paid'), id, txHashes: [], paidAt: NOW, ...change }),

  fail: (id: string, change: Partial<Parameters<typeof failPayout>[1]> = {}) =>
    failPayout(db, { ...fresh('failed'), id, failureCode: 'provider_refused', sentAt: null, ...change }),

  review: (id: string, change: Partial<Parameters<typeof reviewPayout>[1]> = {}) =>
    reviewPayout(db, { ...fresh('review'), id, txHashes: [], failureCode: 'provider_says_failed', ...change }),

  /** Everything that a change of a withdrawal touches. */
  async look(id: string) {
    const withdrawal = await findWithdrawal(db, id);
    const { rows } = await db.query<{ transfers: string[]; events: string[]; tasks: string[] }>(
      `SELECT ARRAY(SELECT kind FROM ledger_transfers WHERE transaction_id = $1 ORDER BY kind) AS transfers,
        ARRAY(SELECT type FROM events WHERE transaction_id = $1 ORDER BY type) AS events,
        ARRAY(SELECT kind FROM tasks WHERE subject_id = $1) AS tasks`,
      [id],
    );
    return { status: withdrawal?.status, payoutStep: withdrawal?.payoutStep, ...rows[0] };
  },
});

const fresh = (change: string) => ({
  from: 'pending' as const,
  providerId: null,
  endToEndId: null,
  now: NOW,
  eventId: uuidv7(NOW),
  eventType: `pix_out.${change}`,
  eventBody: '{}',
});
