import { findAccountTerms } from '#db/account-terms.ts';
import { findWithdrawn } from '#db/withdrawals.ts';
import { dayStart, nextDayStart, nightWindow } from '#domain/business-day.ts';
import { LIMIT_NAMES, type LimitName } from '#domain/limits.ts';
import type { Deps } from './deps.ts';

export type LimitUse = {
  /** Null: without limit. */
  limits: Record<LimitName, bigint | null>;
  used: { pixTodayCentavos: bigint; pixTonightCentavos: bigint; cryptoTodayCentavos: bigint };
  /** When today's sums begin anew. */
  dayEndsAt: Date;
  /** The night that it is now; null by day. */
  night: { start: Date; end: Date } | null;
};

/** An account's limits in centavos, and how much of today's and tonight's is used. */
export async function getLimits(deps: Deps, accountId: string): Promise<LimitUse> {
  const terms = await findAccountTerms(deps.db.pool, accountId);
  if (!terms) throw new Error(`There is no account ${accountId}.`);
  const now = deps.clock();
  const night = nightWindow(now);
  const used = await findWithdrawn(deps.db.pool, accountId, {
    dayStart: dayStart(now),
    nightStart: night?.start ?? now,
  });
  return {
    limits: Object.fromEntries(LIMIT_NAMES.map((name) => [name, terms.limits[name] ?? null])) as LimitUse['limits'],
    used: {
      pixTodayCentavos: used.pixToday,
      pixTonightCentavos: night ? used.pixTonight : 0n,
      cryptoTodayCentavos: used.cryptoToday,
    },
    dayEndsAt: nextDayStart(now),
    night,
  };
}
