import type { PeriodLimit } from '#domain/accounts/limits.ts';
import type { LimitUse } from './get-limits.ts';

/** From four fifths of a limit on there is still time to ask for a higher one. */
const NEARLY_PERCENT = 80n;

export type NearLimit = { name: PeriodLimit; usedCentavos: bigint; limitCentavos: bigint; endsAt: Date };

/** The limits of a day or a night of which four fifths are used, or more. */
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
