import { termsOutput } from '#contract/accounts/terms-output.ts';
import { getTerms } from '#services/accounts/get-terms.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { presentTermsChange } from './present-terms-change.ts';

/** What is agreed with an account, for reading: the operator changes it. */
export const termsRouter = router({
  get: memberProcedure.output(encoded(termsOutput)).query(async ({ ctx: { deps, principal } }) => {
    const { limits, night, fees, crypto, planned } = await getTerms(deps, principal);
    const { price, tolerance } = crypto;
    return {
      limits: limits.map(({ name, centavos, use }) => ({
        name,
        limit: centavos,
        use: use && {
          used: use.usedCentavos,
          left: use.leftCentavos,
          resets_at: use.resetsAt,
        },
      })),
      night: { from_hour: night.fromHour, to_hour: night.toHour, now: night.now },
      fees: fees.map(({ type, fee, active, example }) => ({
        type,
        percent: fee.bps,
        fixed: fee.fixedCentavos,
        active,
        example: {
          amount: example.amountCentavos,
          fee: example.feeCentavos,
          net: example.netCentavos,
          total: example.totalCentavos,
        },
      })),
      crypto: {
        spread_percent: crypto.spreadBps,
        tolerance_percent: crypto.toleranceBps,
        price_example: {
          market: price.marketCentavos,
          charge: price.chargeCentavos,
          withdrawal: price.withdrawalCentavos,
        },
        tolerance_example: {
          amount: tolerance.amountCentavos,
          from: tolerance.fromCentavos,
          to: tolerance.toCentavos,
        },
      },
      planned: planned.map(({ effectiveAt, terms }) => ({
        ...presentTermsChange(terms, null),
        effective_from: effectiveAt,
      })),
    };
  }),
});
