import type { AccountTerms } from '#db/account-terms.ts';
import { hasTransactions } from '#db/has-transactions.ts';
import { listSubmissionsOf } from '#db/kyc.ts';
import { type Balances, findBalances } from '#db/ledger.ts';
import { findInReview, findStuckWithdrawals, type OverviewGroup, type Pile, sumTransactions } from '#db/overview.ts';
import type { LimitName } from '#domain/limits.ts';
import { type OverviewPeriod, type PeriodSpan, spanOf } from '#domain/overview-period.ts';
import type { Deps } from './deps.ts';
import { failingEndpoints } from './failing-endpoints.ts';
import { getLimits, type LimitUse } from './get-limits.ts';

/** A PIX is settled in seconds, and an SPI that is down for this long is in the news; a chain may take its time. */
const STUCK_PIX_MS = 15 * 60_000;
const STUCK_CRYPTO_MS = 2 * 3_600_000;
/** Older withdrawals are not looked through for one in review. */
const REVIEW_LOOK_MS = 90 * 86_400_000;
/** From four fifths of a limit on there is still time to ask for a higher one. */
const NEARLY_PERCENT = 80n;

export type Sums = { count: number; centavos: bigint };

export type NearLimit = { name: LimitName; usedCentavos: bigint; limitCentavos: bigint; endsAt: Date };

/** Null: verified. `submitted`: the operator's decision is awaited. */
export type VerificationState = { state: 'missing' | 'submitted' | 'rejected'; reason: string | null } | null;

export type Overview = {
  balances: Balances;
  span: PeriodSpan;
  /** Paid by payers, without what is still on its way; `refundedCentavos`: of that, what has gone back by now. */
  received: { pix: Sums; crypto: Sums; refundedCentavos: bigint; before: Sums };
  /** Of the charges and invoices made in the period. Those that the provider never took are none. */
  conversion: { made: number; paid: number; expired: number; cancelled: number; waiting: number };
  fees: { receivedCentavos: bigint; sentCentavos: bigint };
  sent: { pix: Sums; crypto: Sums };
  /** What was received in each of the span's steps, in centavos. */
  series: { from: Date; pixCentavos: bigint; cryptoCentavos: bigint }[];
  attention: {
    verification: VerificationState;
    failing: Awaited<ReturnType<typeof failingEndpoints>>;
    limits: NearLimit[];
    stuck: Pile;
    inReview: Pile;
  };
  hasTransactions: boolean;
};

/** How an account stands: its balances, what moved in a period, and what somebody has to look at. Also of one that is not verified. */
export async function getOverview(
  deps: Deps,
  { accountId, merchantId, kycStatus }: Pick<AccountTerms, 'accountId' | 'merchantId' | 'kycStatus'>,
  period: OverviewPeriod,
): Promise<Overview> {
  const { pool } = deps.db;
  const now = deps.clock();
  const span = spanOf(period, now);
  const bounds = [span.before.start, span.before.end, ...span.steps];
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const [balances, groups, verification, failing, limits, stuck, inReview, any] = await Promise.all([
    findBalances(pool, accountId),
    sumTransactions(pool, accountId, { bounds, start: span.start }),
    kycStatus === 'approved' ? null : verificationState(deps, merchantId, kycStatus),
    failingEndpoints(deps, accountId),
    getLimits(deps, accountId),
    findStuckWithdrawals(pool, accountId, { pix: ago(STUCK_PIX_MS), crypto: ago(STUCK_CRYPTO_MS) }),
    findInReview(pool, accountId, ago(REVIEW_LOOK_MS)),
    hasTransactions(pool, accountId),
  ]);
  if (!balances) throw new Error(`Account ${accountId} has no ledger accounts.`);
  return {
    balances,
    span,
    ...sumUp(groups, span),
    attention: { verification, failing, limits: nearLimits(limits), stuck, inReview },
    hasTransactions: any,
  };
}

async function verificationState(
  { db }: Pick<Deps, 'db'>,
  merchantId: string,
  kycStatus: 'pending' | 'rejected',
): Promise<VerificationState> {
  const [newest] = await listSubmissionsOf(db.pool, merchantId);
  if (newest?.decision === 'submitted') return { state: 'submitted', reason: null };
  return { state: kycStatus === 'rejected' ? 'rejected' : 'missing', reason: newest?.reason ?? null };
}

/** In `bounds`: the span before, what lies between it and the period, and from here on the period's own steps. */
const BEFORE = 1;
const FIRST_STEP = 3;

function sumUp(groups: readonly OverviewGroup[], span: PeriodSpan) {
  const moved = groups.filter(({ step }) => step !== null && step >= FIRST_STEP);
  const of = (type: OverviewGroup['type']) => moved.filter((group) => group.type === type);
  const received = [...of('pix_in'), ...of('crypto_in')];
  const sent = [...of('pix_out'), ...of('crypto_out')];
  const before = groups.filter(({ step, type }) => step === BEFORE && isIn(type));
  const asked = groups.filter(({ type, isNew, status }) => isNew && isIn(type) && status !== 'failed');
  const made = (...statuses: OverviewGroup['status'][]) =>
    asked
      .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
      .reduce((n, { count }) => n + count, 0);
  return {
    received: {
      pix: sum(of('pix_in')),
      crypto: sum(of('crypto_in')),
      refundedCentavos: total(received, 'refundedCentavos'),
      before: sum(before),
    },
    conversion: {
      made: made(),
      paid: made('paid', 'refunded', 'completed'),
      expired: made('expired'),
      cancelled: made('cancelled'),
      waiting: made('pending', 'review'),
    },
    fees: { receivedCentavos: total(received, 'feeCentavos'), sentCentavos: total(sent, 'feeCentavos') },
    sent: { pix: sum(of('pix_out')), crypto: sum(of('crypto_out')) },
    series: span.steps.map((from, index) => {
      const here = ({ step }: OverviewGroup) => step === FIRST_STEP + index;
      return {
        from,
        pixCentavos: sum(of('pix_in').filter(here)).centavos,
        cryptoCentavos: sum(of('crypto_in').filter(here)).centavos,
      };
    }),
  };
}

const isIn = (type: OverviewGroup['type']) => type === 'pix_in' || type === 'crypto_in';

const total = (groups: readonly OverviewGroup[], what: 'movedCentavos' | 'feeCentavos' | 'refundedCentavos') =>
  groups.reduce((sum, group) => sum + group[what], 0n);

const sum = (groups: readonly OverviewGroup[]): Sums => ({
  count: groups.reduce((count, group) => count + group.count, 0),
  centavos: total(groups, 'movedCentavos'),
});

function nearLimits({ limits, used, dayEndsAt, night }: LimitUse): NearLimit[] {
  const uses: [LimitName, bigint, Date | undefined][] = [
    ['daily_limit_out_pix', used.pixTodayCentavos, dayEndsAt],
    ['night_limit_out_pix', used.pixTonightCentavos, night?.end],
    ['daily_limit_out_crypto', used.cryptoTodayCentavos, dayEndsAt],
  ];
  return uses.flatMap(([name, usedCentavos, endsAt]) => {
    const limitCentavos = limits[name];
    const isNear = endsAt && limitCentavos && usedCentavos * 100n >= limitCentavos * NEARLY_PERCENT;
    return isNear ? [{ name, usedCentavos, limitCentavos, endsAt }] : [];
  });
}
