import { listPlannedTerms } from '#db/accounts/terms-changes.ts';
import { type Fee, feeOf } from '#domain/accounts/fees.ts';
import { LIMIT_NAMES, type LimitName } from '#domain/accounts/limits.ts';
import type { TermsChange } from '#domain/accounts/terms-change.ts';
import { withSpread } from '#domain/quotes/quote.ts';
import { TRANSACTION_TYPES, type TransactionType } from '#domain/transactions/transaction-states.ts';
import { NIGHT_END_HOUR, NIGHT_START_HOUR } from '#domain/values/business-day.ts';
import type { Principal } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import { findActiveRails } from '../rails/find-active-rails.ts';
import { getLimits, type LimitUse } from './get-limits.ts';

/**
 * The examples' amount in centavos and their price in 10^-8 BRL: round figures, in which every part
 * shows.
 */
const EXAMPLE_CENTAVOS = 100_00n;
const EXAMPLE_PRICE = 100_00000000n;
const PRICE_PER_CENTAVO = 1_000_000n;

export type Terms = {
  limits: {
    name: LimitName;
    centavos: bigint | null;
    /** Null for a limit on single operations, and by day for the night's. */
    use: { usedCentavos: bigint; leftCentavos: bigint | null; resetsAt: Date } | null;
  }[];
  night: { fromHour: number; toHour: number; now: boolean };
  fees: { type: TransactionType; fee: Fee; active: boolean; example: FeeExample }[];
  crypto: {
    spreadBps: number;
    toleranceBps: number;
    price: { marketCentavos: bigint; chargeCentavos: bigint; withdrawalCentavos: bigint };
    tolerance: { amountCentavos: bigint; fromCentavos: bigint; toCentavos: bigint };
  };
  planned: { effectiveAt: Date; terms: TermsChange }[];
};

/** `net`: what the receiver gets; `total`: what leaves the balance. */
type FeeExample = { amountCentavos: bigint; feeCentavos: bigint; netCentavos: bigint; totalCentavos: bigint };

/**
 * An account's terms and planned changes, how much of its limits is used, and examples computed by
 * the same rules as its transactions.
 */
export async function getTerms(deps: Deps, terms: Principal): Promise<Terms> {
  const limitUse = await getLimits(deps, terms.accountId);
  const activeRails = await findActiveRails(deps, terms);
  const planned = await listPlannedTerms(deps.db.prisma, terms.accountId, deps.clock());
  const { spreadBps, toleranceBps } = terms;
  const margin = (EXAMPLE_CENTAVOS * BigInt(toleranceBps)) / 10_000n;
  return {
    limits: LIMIT_NAMES.map((name) => ({
      name,
      centavos: limitUse.limits[name],
      use: useOf(name, limitUse),
    })),
    night: { fromHour: NIGHT_START_HOUR, toHour: NIGHT_END_HOUR, now: limitUse.night !== null },
    fees: TRANSACTION_TYPES.map((type) => {
      const fee = terms.fees[type] ?? { bps: 0, fixedCentavos: 0n };
      return { type, fee, active: activeRails[type], example: feeExample(type, fee) };
    }),
    crypto: {
      spreadBps,
      toleranceBps,
      price: {
        marketCentavos: EXAMPLE_PRICE / PRICE_PER_CENTAVO,
        chargeCentavos: withSpread(EXAMPLE_PRICE, spreadBps, 'in') / PRICE_PER_CENTAVO,
        withdrawalCentavos: withSpread(EXAMPLE_PRICE, spreadBps, 'out') / PRICE_PER_CENTAVO,
      },
      tolerance: {
        amountCentavos: EXAMPLE_CENTAVOS,
        fromCentavos: EXAMPLE_CENTAVOS - margin,
        toCentavos: EXAMPLE_CENTAVOS + margin,
      },
    },
    planned: planned.map(({ effectiveAt, terms: change }) => ({ effectiveAt, terms: change })),
  };
}

/**
 * A PIX withdrawal's fee comes on top of what the receiver gets; a crypto withdrawal's is deducted
 * from it.
 */
function feeExample(type: TransactionType, fee: Fee): FeeExample {
  const feeCentavos = feeOf(EXAMPLE_CENTAVOS, fee);
  const onTop = type === 'pix_out';
  return {
    amountCentavos: EXAMPLE_CENTAVOS,
    feeCentavos,
    netCentavos: onTop ? EXAMPLE_CENTAVOS : EXAMPLE_CENTAVOS - feeCentavos,
    totalCentavos: onTop ? EXAMPLE_CENTAVOS + feeCentavos : EXAMPLE_CENTAVOS,
  };
}

function useOf(name: LimitName, { limits, used, dayEndsAt, night }: LimitUse): Terms['limits'][number]['use'] {
  const filled = {
    daily_limit_out_pix: { usedCentavos: used.pixTodayCentavos, resetsAt: dayEndsAt },
    daily_limit_out_crypto: { usedCentavos: used.cryptoTodayCentavos, resetsAt: dayEndsAt },
    // By day nothing of the night's limit is used, and it restarts with the next night anyway.
    night_limit_out_pix: night && { usedCentavos: used.pixTonightCentavos, resetsAt: night.end },
  }[name as string];
  if (!filled) return null;
  const limit = limits[name];
  const left = limit === null ? null : limit - filled.usedCentavos;
  return { ...filled, leftCentavos: left !== null && left < 0n ? 0n : left };
}
