import { termsOutput } from '#contract/accounts/terms-output.ts';
import { toBrl } from '#domain/values/money.ts';
import { getTerms } from '#services/accounts/get-terms.ts';
import { memberProcedure, router } from '../procedure.ts';

/** What is agreed with an account, for reading: the operator changes it. */
export const termsRouter = router({
  get: memberProcedure.output(termsOutput).query(async ({ ctx: { deps, principal } }) => {
    const { limits, night, fees, crypto } = await getTerms(deps, principal);
    const { price, tolerance } = crypto;
    return {
      limits: limits.map(({ name, centavos, use }) => ({
        name,
        limit: centavos === null ? null : toBrl(centavos),
        use: use && {
          used: toBrl(use.usedCentavos),
          left: use.leftCentavos === null ? null : toBrl(use.leftCentavos),
          resets_at: use.resetsAt.toISOString(),
        },
      })),
      night: { from_hour: night.fromHour, to_hour: night.toHour, now: night.now },
      fees: fees.map(({ type, fee, active, example }) => ({
        type,
        percent: fee.bps / 100,
        fixed: toBrl(fee.fixedCentavos),
        active,
        example: {
          amount: toBrl(example.amountCentavos),
          fee: toBrl(example.feeCentavos),
          net: toBrl(example.netCentavos),
          total: toBrl(example.totalCentavos),
        },
      })),
      crypto: {
        spread_percent: crypto.spreadBps / 100,
        tolerance_percent: crypto.toleranceBps / 100,
        price_example: {
          market: toBrl(price.marketCentavos),
          charge: toBrl(price.chargeCentavos),
          withdrawal: toBrl(price.withdrawalCentavos),
        },
        tolerance_example: {
          amount: toBrl(tolerance.amountCentavos),
          from: toBrl(tolerance.fromCentavos),
          to: toBrl(tolerance.toCentavos),
        },
      },
    };
  }),
});
