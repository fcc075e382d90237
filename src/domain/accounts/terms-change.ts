import { addDays, dayOf } from '../reports/statement-period.ts';
import { TRANSACTION_TYPES, type TransactionType } from '../transactions/transaction-states.ts';
import { toDecimal } from '../values/money.ts';
import type { Fee } from './fees.ts';
import type { LimitName } from './limits.ts';

/** A limit in centavos; null: none on purpose; `default`: the installation's. */
export type LimitTerm = bigint | null | 'default';

/** Terms of an account that change together; what is not named stays as it is. */
export type TermsChange = {
  fees: Partial<Record<TransactionType, Fee>>;
  limits: Partial<Record<LimitName, LimitTerm>>;
  spreadBps?: number;
  toleranceBps?: number;
};

/** 50 %: a larger spread or tolerance is a typing mistake. */
export const RATE_BPS_MAX = 5_000;

/** No one agrees on fees further ahead; a later day is a typing error of the operator. */
export const PLANNED_YEARS_MAX = 2;
const YEAR_MS = 366 * 24 * 3_600_000;

/** Whether a change may be planned now for an instant. */
export const mayPlanFor = (effectiveAt: Date, now: Date): boolean =>
  effectiveAt > now && effectiveAt.getTime() <= now.getTime() + PLANNED_YEARS_MAX * YEAR_MS;

/**
 * Returns the first and the last day of São Paulo from whose beginning on a change may be planned
 * now: today has begun.
 */
export const daysToPlanFor = (now: Date): { from: string; to: string } => ({
  from: addDays(dayOf(now), 1),
  to: dayOf(new Date(now.getTime() + PLANNED_YEARS_MAX * YEAR_MS)),
});

export const changesNothing = ({ fees, limits, spreadBps, toleranceBps }: TermsChange): boolean =>
  [...Object.keys(fees), ...Object.keys(limits)].length === 0 && spreadBps === undefined && toleranceBps === undefined;

/**
 * Returns the limits in force before a change: the current ones, overridden in order by the changes
 * that are planned before it. A limit that is removed is left out; one that becomes the
 * installation's is that of `defaults`.
 */
export function limitsAfter(
  limits: Partial<Record<LimitName, bigint>>,
  changes: readonly Pick<TermsChange, 'limits'>[],
  defaults: Partial<Record<LimitName, bigint>>,
): Partial<Record<LimitName, bigint>> {
  const after = { ...limits };
  for (const change of changes) {
    for (const [name, term] of Object.entries(change.limits) as [LimitName, LimitTerm][]) {
      const limit = term === 'default' ? defaults[name] : term;
      if (limit == null) delete after[name];
      else after[name] = limit;
    }
  }
  return after;
}

/**
 * Returns the types whose minimum would exceed their maximum, so that no amount could be requested.
 */
export function contradictoryRanges(limits: Partial<Record<LimitName, bigint>>): TransactionType[] {
  return TRANSACTION_TYPES.filter((type) => {
    const [rail, way] = type.split('_');
    const least = limits[`minimal_value_${way}_${rail}` as LimitName];
    const most = limits[`maximal_value_${way}_${rail}` as LimitName];
    return least !== undefined && most !== undefined && least > most;
  });
}

/** The limits of an account in centavos, and what decides how they go on. */
export type LimitsOutlook = {
  /** In force. */
  limits: Partial<Record<LimitName, bigint>>;
  /** The installation's. */
  defaults: Partial<Record<LimitName, bigint>>;
  /** The planned changes, the earliest first. */
  planned: readonly { terms: Pick<TermsChange, 'limits'> }[];
};

/**
 * Returns whether a minimum is above its maximum at any moment: after the changes of `first`
 * together, and after each of those that are planned.
 */
export function leavesNoAmount(
  { limits, defaults, planned }: LimitsOutlook,
  first: readonly Pick<TermsChange, 'limits'>[],
): boolean {
  const changes = planned.map(({ terms }) => terms);
  return [...changes.keys(), changes.length].some((count) => {
    const after = limitsAfter(limits, [...first, ...changes.slice(0, count)], defaults);
    return contradictoryRanges(after).length > 0;
  });
}

/**
 * Returns what the audit records of a change: each new term, and as `…_before` the earlier one
 * where it is known.
 */
export const auditedTerms = (change: TermsChange, before: TermsChange | null): Record<string, string> =>
  besideEarlier(auditedTexts, change, before);

/** The same for whoever reads it: each term as an operator types it, a limit in reais. */
export const typedTerms = (change: TermsChange, before: TermsChange | null): Record<string, string> =>
  besideEarlier(typedTexts, change, before);

function besideEarlier(
  textsOf: (change: TermsChange) => Record<string, string>,
  change: TermsChange,
  before: TermsChange | null,
): Record<string, string> {
  const earlier = before ? textsOf(before) : {};
  return Object.fromEntries(
    Object.entries(textsOf(change)).flatMap(([name, text]) => [
      ...(earlier[name] === undefined ? [] : [[`${name}_before`, earlier[name]] as const]),
      [name, text] as const,
    ]),
  );
}

/** Returns each term as text, by its name in the audit. A fee: basis points, then centavos. */
const auditedTexts = ({ fees, limits, ...rates }: TermsChange): Record<string, string> => ({
  ...rateTexts(rates),
  ...texts('fee', fees, ({ bps, fixedCentavos }) => `${bps} ${fixedCentavos}`),
  ...texts('limit', limits, String),
});

const typedTexts = ({ fees, limits, ...rates }: TermsChange): Record<string, string> => ({
  ...rateTexts(rates),
  ...texts('fee', fees, ({ bps, fixedCentavos }) => `${bps}bps+${fixedCentavos}`),
  ...texts('limit', limits, (term) => (typeof term === 'bigint' ? toDecimal(term) : (term ?? 'none'))),
});

const rateTexts = ({ spreadBps, toleranceBps }: Pick<TermsChange, 'spreadBps' | 'toleranceBps'>) => ({
  ...(spreadBps !== undefined && { spreadBps: String(spreadBps) }),
  ...(toleranceBps !== undefined && { toleranceBps: String(toleranceBps) }),
});

const texts = <T>(kind: string, terms: Partial<Record<string, T>>, write: (term: T) => string) =>
  Object.fromEntries(Object.entries(terms).map(([name, term]) => [`${kind} ${name}`, write(term as T)]));
