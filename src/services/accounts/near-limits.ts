import type { PeriodLimit } from '#domain/accounts/limits.ts';
import type { LimitUse } from './get-limits.ts';

/** Early enough to ask for a higher limit before it is reached. */
const NEARLY_PERCENT = 80n;

export type NearLimit = { name: PeriodLimit; usedCentavos: bigint; limitCentavos: bigint; endsAt: Date };

/** The limits of the current day or night of which at least NEARLY_PERCENT is used. */
export function nearLimits({ limits, used, dayEndsAt, night }: LimitUse): NearLimit[] {
  const uses: [PeriodLimit, bigint, Date | undefined][] = [
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
