import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import { findLimitUsage } from '#db/withdrawals/withdrawals.ts';
import { LIMIT_NAMES, type LimitName } from '#domain/accounts/limits.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import type { Deps } from '../deps.ts';
import { limitPeriods } from '../withdrawals/withdrawal-terms.ts';
import { maximumOf, minimumOf, RANGE_LIMITS } from './check-limits.ts';

export type LimitUse = {
  /** In centavos; null: no limit. */
  limits: Record<LimitName, bigint | null>;
  used: { pixTodayCentavos: bigint; pixTonightCentavos: bigint; cryptoTodayCentavos: bigint };
  /** When the sums of today start again from zero. */
  dayEndsAt: Date;
  /** The current night; null by day. */
  night: { start: Date; end: Date } | null;
};

const shownLimits = ({ limits }: AccountTerms) =>
  Object.fromEntries(LIMIT_NAMES.map((name) => [name, limits[name] ?? null])) as LimitUse['limits'];

/**
 * The minimum of each type that holds, also where it is that of every account; a minimum of one
 * centavo is left out.
 */
const leastAmounts = (terms: AccountTerms) =>
  Object.fromEntries(
    TRANSACTION_TYPES.filter((type) => minimumOf(terms, type) > 1n).map((type) => [
      RANGE_LIMITS[type].minimum,
      minimumOf(terms, type),
    ]),
  );

/** The maximum of each type that holds, where the account's own is above that of every account. */
const mostAmounts = (terms: AccountTerms) =>
  Object.fromEntries(
    TRANSACTION_TYPES.filter((type) => (terms.limits[RANGE_LIMITS[type].maximum] ?? 0n) > maximumOf(terms, type)).map(
      (type) => [RANGE_LIMITS[type].maximum, maximumOf(terms, type)],
    ),
  );

/** An account's limits in centavos, and how much of today's and tonight's is used. */
export async function getLimits(deps: Deps, accountId: string): Promise<LimitUse> {
  const now = deps.clock();
  const terms = await findAccountTerms(deps.db.pool, accountId, now);
  if (!terms) throw new Error(`There is no account ${accountId}.`);
  const periods = limitPeriods(now);
  const used = await findLimitUsage(deps.db.pool, accountId, periods);
  return {
    limits: { ...shownLimits(terms), ...leastAmounts(terms), ...mostAmounts(terms) },
    used: {
      pixTodayCentavos: used.pixToday,
      pixTonightCentavos: used.pixTonight,
      cryptoTodayCentavos: used.cryptoToday,
    },
    dayEndsAt: periods.day.end,
    night: periods.night,
  };
}
