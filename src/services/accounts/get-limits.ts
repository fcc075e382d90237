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
 * The minimum and the maximum of each type that hold, also where those of every account are
 * narrower. A minimum of one centavo is left out, and a maximum that the account has none of.
 */
const ranges = (terms: AccountTerms) =>
  Object.fromEntries(
    TRANSACTION_TYPES.flatMap((type) => {
      const { minimum, maximum } = RANGE_LIMITS[type];
      const least = minimumOf(terms, type);
      const hasMost = terms.limits[maximum] !== undefined;
      return [
        ...(least > 1n ? [[minimum, least] as const] : []),
        ...(hasMost ? [[maximum, maximumOf(terms, type)] as const] : []),
      ];
    }),
  );

/** An account's limits in centavos, and how much of today's and tonight's is used. */
export async function getLimits(deps: Deps, accountId: string): Promise<LimitUse> {
  const now = deps.clock();
  const terms = await findAccountTerms(deps.db.pool, accountId, now);
  if (!terms) throw new Error(`There is no account ${accountId}.`);
  const periods = limitPeriods(now);
  const used = await findLimitUsage(deps.db.pool, accountId, periods);
  return {
    limits: { ...shownLimits(terms), ...ranges(terms) },
    used: {
      pixTodayCentavos: used.pixToday,
      pixTonightCentavos: used.pixTonight,
      cryptoTodayCentavos: used.cryptoToday,
    },
    dayEndsAt: periods.day.end,
    night: periods.night,
  };
}
