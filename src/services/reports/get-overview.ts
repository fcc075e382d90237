import type { AccountTerms, CredentialKind } from '#db/accounts/account-terms.ts';
import { type AwaitedAnswers, findAwaitedAnswers } from '#db/disputes/list-disputes.ts';
import { listSubmissionsOf } from '#db/kyc/kyc.ts';
import {
  findAwaitedApprovals,
  findInReview,
  findStuckWithdrawals,
  type MovementGroup,
  type MovementKind,
  type Movements,
  type Pile,
  sumMovements,
} from '#db/reports/overview.ts';
import { hasTransactions } from '#db/transactions/has-transactions.ts';
import { findInboxPiles, type InboxPile } from '#db/unmatched/inbox.ts';
import { type AwaitedBatches, findAwaitedBatches } from '#db/withdrawals/payout-batches.ts';
import { type OverviewPeriod, type PeriodSpan, spanOf } from '#domain/reports/overview-period.ts';
import { getLimits } from '../accounts/get-limits.ts';
import { type NearLimit, nearLimits } from '../accounts/near-limits.ts';
import type { Deps } from '../deps.ts';
import { lacksOwnCredentials } from '../providers/require-own-credentials.ts';
import { failingEndpoints } from '../webhooks/failing-endpoints.ts';

/**
 * After this time a withdrawal counts as stuck. PIX settles in seconds; a blockchain may take its
 * time.
 */
const STUCK_PIX_MS = 15 * 60_000;
const STUCK_CRYPTO_MS = 2 * 3_600_000;
const PROVIDER_KINDS = ['api_pix', 'plisio'] as const;

export type Sums = { count: number; centavos: bigint };

/** Null: verified. `submitted`: the operator's decision is awaited. */
export type VerificationState = { state: 'missing' | 'submitted' | 'rejected'; reason: string | null } | null;

export type Overview = {
  balances: Movements['balances'];
  span: PeriodSpan;
  /**
   * What the three balances held together when the period began, and hold now: opening + received +
   * splits received - splits given - fees - sent - refunded + pendingChange = closing, all of it
   * from the ledger's transfers, at the instants at which they were posted.
   */
  total: { openingCentavos: bigint; pendingChangeCentavos: bigint; closingCentavos: bigint };
  /** Paid by payers and credited, without what is still on its way. */
  received: { pix: Sums; crypto: Sums; before: Sums };
  /** What went back to payers. */
  refunded: Sums;
  /** Shares of charges: those that this account received, and those that it gave to others. */
  splits: { received: Sums; givenCentavos: bigint };
  conversion: { made: number; paid: number; expired: number; cancelled: number; waiting: number };
  fees: { receivedCentavos: bigint; sentCentavos: bigint };
  sent: { pix: Sums; crypto: Sums };
  /** What was received in each of the span's steps, in centavos. */
  series: { from: Date; pixCentavos: bigint; cryptoCentavos: bigint }[];
  attention: {
    verification: VerificationState;
    failing: Awaited<ReturnType<typeof failingEndpoints>>;
    limits: NearLimit[];
    /** Withdrawals that wait for a second person. */
    approvals: Pile;
    /** Batches that wait for a second person. */
    batches: AwaitedBatches | null;
    stuck: Pile;
    inReview: Pile;
    /** Cases that wait for the merchant's answer. */
    disputes: AwaitedAnswers | null;
    /** Payments that came without a charge. */
    unmatched: InboxPile;
    /** What left without a request. */
    unrequested: InboxPile;
    /** Providers that the account has to connect before it can use them. */
    missingProviders: CredentialKind[];
  };
  hasTransactions: boolean;
};

/**
 * The overview of an account: its balances, what moved in a period, and what needs a member's
 * attention. Also for a merchant that is not verified.
 */
export async function getOverview(
  deps: Deps,
  account: Pick<AccountTerms, 'accountId' | 'merchantId' | 'kycStatus' | 'mode' | 'credentials'>,
  period: OverviewPeriod,
): Promise<Overview> {
  const { accountId, merchantId, kycStatus } = account;
  const { pool } = deps.db;
  const now = deps.clock();
  const missingProviders = PROVIDER_KINDS.filter((kind) => lacksOwnCredentials(deps, account, kind));
  const span = spanOf(period, now);
  const bounds = [span.before.start, span.before.end, ...span.steps];
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const [movements, verification, failing, limits, approvals, batches, stuck, inReview, disputes, inbox, any] =
    await Promise.all([
      sumMovements(pool, accountId, {
        bounds,
        unit: span.unit,
        parts: [
          { ...span.before, hasOutcomes: false },
          { start: span.start, end: null, hasOutcomes: true },
        ],
      }),
      kycStatus === 'approved' ? null : verificationState(deps, merchantId, kycStatus),
      failingEndpoints(deps, accountId),
      getLimits(deps, accountId),
      findAwaitedApprovals(pool, accountId),
      findAwaitedBatches(pool, accountId, now),
      findStuckWithdrawals(pool, accountId, { pix: ago(STUCK_PIX_MS), crypto: ago(STUCK_CRYPTO_MS) }),
      findInReview(pool, accountId),
      findAwaitedAnswers(pool, accountId, now),
      findInboxPiles(pool, accountId),
      hasTransactions(pool, accountId),
    ]);
  if (!movements) throw new Error(`Account ${accountId} has no ledger accounts.`);
  return {
    balances: movements.balances,
    span,
    ...sumUp(movements, span),
    conversion: conversionOf(movements),
    attention: {
      ...{
        verification,
        failing,
        limits: nearLimits(limits),
        approvals,
        batches,
        stuck,
        inReview,
        disputes,
        ...inbox,
      },
      missingProviders,
    },
    hasTransactions: any,
  };
}

async function verificationState(
  { db }: Pick<Deps, 'db'>,
  merchantId: string,
  kycStatus: 'pending' | 'rejected',
): Promise<VerificationState> {
  const [newest] = await listSubmissionsOf(db, merchantId);
  if (newest?.decision === 'submitted') return { state: 'submitted', reason: null };
  return { state: kycStatus === 'rejected' ? 'rejected' : 'missing', reason: newest?.reason ?? null };
}

/**
 * Steps of `bounds`: the period before, then what lies between it and the period (2), and from
 * FIRST_STEP on the steps of the period itself.
 */
const BEFORE = 1;
const FIRST_STEP = 3;

function sumUp({ balances, groups }: Movements, span: PeriodSpan) {
  const moved = groups.filter(({ step }) => step >= FIRST_STEP);
  const of = (...kinds: MovementKind[]) => moved.filter(({ kind }) => kinds.includes(kind));
  const before = groups.filter(({ step, kind }) => step === BEFORE && RECEIPTS.includes(kind));
  const change = moved.reduce(
    (sum, { grossCentavos, feeCentavos, splitCentavos, pendingChangeCentavos }) =>
      sum + grossCentavos - feeCentavos - splitCentavos + pendingChangeCentavos,
    0n,
  );
  const { availableCentavos, pendingCentavos, blockedCentavos, owedCentavos } = balances;
  const closingCentavos = availableCentavos + pendingCentavos + blockedCentavos - owedCentavos;
  return {
    total: {
      openingCentavos: closingCentavos - change,
      pendingChangeCentavos: total(moved, 'pendingChangeCentavos'),
      closingCentavos,
    },
    received: { pix: came(of('pix_in')), crypto: came(of('crypto_in')), before: came(before) },
    refunded: went(of('refund')),
    splits: { received: came(of('split_received')), givenCentavos: total(moved, 'splitCentavos') },
    fees: {
      receivedCentavos: total(of(...RECEIPTS), 'feeCentavos'),
      sentCentavos: total(of('pix_out', 'crypto_out'), 'feeCentavos'),
    },
    sent: { pix: went(of('pix_out')), crypto: went(of('crypto_out')) },
    series: span.steps.map((from, index) => {
      const here = ({ step }: MovementGroup) => step === FIRST_STEP + index;
      return {
        from,
        pixCentavos: came(of('pix_in').filter(here)).centavos,
        cryptoCentavos: came(of('crypto_in').filter(here)).centavos,
      };
    }),
  };
}

/** Charges and invoices that failed, because the provider never accepted them, are not counted. */
function conversionOf({ outcomes, waiting }: Movements): Overview['conversion'] {
  const ended = (wanted: Movements['outcomes'][number]['kind']) =>
    outcomes
      .filter(({ kind, step }) => kind === wanted && step >= FIRST_STEP)
      .reduce((sum, { count }) => sum + count, 0);
  const counts = { paid: ended('made_paid'), expired: ended('made_expired'), cancelled: ended('made_cancelled') };
  return { made: counts.paid + counts.expired + counts.cancelled + waiting, ...counts, waiting };
}

const RECEIPTS: readonly MovementKind[] = ['pix_in', 'crypto_in'];

const total = (
  groups: readonly MovementGroup[],
  what: 'grossCentavos' | 'feeCentavos' | 'splitCentavos' | 'pendingChangeCentavos',
) => groups.reduce((sum, group) => sum + group[what], 0n);

const came = (groups: readonly MovementGroup[]): Sums => ({
  count: groups.reduce((sum, { count }) => sum + count, 0),
  centavos: total(groups, 'grossCentavos'),
});

/** What left the account, as positive amounts. */
const went = (groups: readonly MovementGroup[]): Sums => {
  const { count, centavos } = came(groups);
  return { count, centavos: -centavos };
};
