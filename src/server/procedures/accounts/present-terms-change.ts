import type { z } from 'zod';
import type { termsChangeOutput } from '#contract/accounts/terms-change-output.ts';
import type { Fee } from '#domain/accounts/fees.ts';
import { LIMIT_NAMES } from '#domain/accounts/limits.ts';
import type { LimitTerm, TermsChange } from '#domain/accounts/terms-change.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';

/** A change of terms as pages get it, with what held before where that is known. */
export function presentTermsChange(
  { fees, limits, spreadBps, toleranceBps }: TermsChange,
  before: TermsChange | null,
): z.output<typeof termsChangeOutput> {
  const rate = (bps: number | undefined, earlier: number | undefined) =>
    bps === undefined ? null : { percent: bps, before_percent: earlier ?? null };
  return {
    fees: TRANSACTION_TYPES.flatMap((type) => {
      const [fee, earlier] = [fees[type], before?.fees[type]];
      return fee ? [{ type, ...presentFee(fee), before: earlier ? presentFee(earlier) : null }] : [];
    }),
    limits: LIMIT_NAMES.flatMap((name) => {
      const [term, earlier] = [limits[name], before?.limits[name]];
      if (term === undefined) return [];
      return [{ name, ...presentLimit(term), before: earlier === undefined ? null : presentLimit(earlier) }];
    }),
    spread: rate(spreadBps, before?.spreadBps),
    tolerance: rate(toleranceBps, before?.toleranceBps),
  };
}

const presentFee = ({ bps, fixedCentavos }: Fee) => ({ percent: bps, fixed: fixedCentavos });

const presentLimit = (term: LimitTerm) =>
  term === 'default' ? { limit: null, is_default: true } : { limit: term, is_default: false };
