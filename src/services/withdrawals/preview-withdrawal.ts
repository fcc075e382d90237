import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import { findBalances } from '#db/ledger/ledger.ts';
import { currentThresholds } from '#db/withdrawals/thresholds.ts';
import { type Fee, FREE, feeOf } from '#domain/accounts/fees.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { type ErrorCode, isApiError } from '#domain/errors/error-catalogue.ts';
import { type CurrencyCode, hasMemo } from '#domain/quotes/currencies.ts';
import type { CryptoRail } from '#rails/ports.ts';
import { checkRange, minimumOf, RANGE_LIMITS } from '../accounts/check-limits.ts';
import { getLimits, type LimitUse } from '../accounts/get-limits.ts';
import type { Deps } from '../deps.ts';
import { requireOwnCredentials } from '../providers/require-own-credentials.ts';
import { previewQuote, type QuotePreview } from '../quotes/preview-quote.ts';
import { checkRail } from '../rails/check-rail.ts';
import { type Sendable, sendableOf } from './sendable-of.ts';
import { withdrawalTerms } from './withdrawal-terms.ts';

/**
 * `amountCentavos` null: no amount is typed yet, and only what applies to any amount is reported.
 */
export type WithdrawalPlan = { amountCentavos: bigint | null } & (
  | { type: 'pix_out' }
  | { type: 'crypto_out'; currency: CurrencyCode }
);

export type WithdrawalPreview = Sendable & {
  fee: Fee;
  /** The fee for the amount. Null without an amount, as are the next three. */
  feeCentavos: bigint | null;
  /** What leaves the available balance. */
  totalCentavos: bigint | null;
  /** What the receiver gets, or what it is worth in reais. */
  receivedCentavos: bigint | null;
  /** What would be left; below zero where the balance is too small. */
  remainingCentavos: bigint | null;
  /** The range of one withdrawal; the maximum is null where there is none. */
  minimumCentavos: bigint;
  maximumCentavos: bigint | null;
  /** The limits of the account, whether they count now or not. */
  limits: WindowLimit[];
  /** Null for PIX, and where there is none now. */
  quote: QuotePreview | null;
  /** Above this amount it waits for a second person; null: no amount does. */
  approvalAboveCentavos: bigint | null;
  /** Above this amount it may go to payees of the account only; null: no amount does. */
  payeesAboveCentavos: bigint | null;
  /** Whether this currency takes a memo beside the address, and the provider can send one. */
  memo: 'none' | 'sent' | 'not_sent';
  /**
   * The errors that would reject it for the account, the rail or the amount, in the order in which
   * they are reported; empty: none would.
   */
  errors: ErrorCode[];
};

export type WindowLimit = {
  name: 'daily' | 'night';
  limitCentavos: bigint;
  usedCentavos: bigint;
  /** False for the night's limit by day. */
  countsNow: boolean;
  /** When it restarts; null where it does not count now. */
  endsAt: Date | null;
};

/**
 * What a withdrawal would cost and leave if it were requested now, and the errors that its account,
 * its rail and its amount would get. Nothing is held or promised: the request decides again, under
 * its own locks and its own quote.
 */
export async function previewWithdrawal(
  deps: Deps,
  accountId: string,
  plan: WithdrawalPlan,
): Promise<WithdrawalPreview> {
  const { type, amountCentavos } = plan;
  const terms = await findAccountTerms(deps.db.pool, accountId, deps.clock());
  const balances = await findBalances(deps.db.pool, accountId);
  if (!terms || !balances) throw new Error(`There is no account ${accountId}.`);
  const errors: ErrorCode[] = [];
  const ask = async <T>(work: () => Promise<T> | T): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DomainError && isApiError(error.code))) throw error;
      errors.push(error.code);
      return null;
    }
  };

  // In the order in which the request itself would reject.
  await ask(() => withdrawalTerms(deps, accountId));
  await ask(() => checkRail(terms, type));
  await ask(() => requireOwnCredentials(deps, terms, plan.type === 'pix_out' ? 'api_pix' : 'plisio'));
  const rail = await findRail(deps, terms, plan);
  if (!rail.isOpen) errors.push('rail_not_configured');
  if (amountCentavos !== null) await ask(() => checkRange(terms, type, amountCentavos));
  const quote =
    plan.type === 'crypto_out'
      ? await ask(() => previewQuote(deps, terms, { currency: plan.currency, side: 'out', amountCentavos }))
      : null;
  if (quote?.conversion?.units === 0n && !errors.includes('below_minimum')) errors.push('below_minimum');
  const limits = windowLimitsOf(await getLimits(deps, accountId), type);
  errors.push(...limits.flatMap((limit) => (isPassed(limit, amountCentavos) ? [REJECTIONS[limit.name]] : [])));

  const fee = terms.fees[type] ?? FREE;
  const costs = amountCentavos === null ? null : costsOf(type, amountCentavos, fee);
  const sendable = sendableOf(balances, terms, type === 'pix_out' ? 'api_pix' : 'plisio');
  const { availableCentavos } = sendable;
  const { approval, payees } = await currentThresholds(deps.db.pool, accountId, deps.clock());
  if (costs && costs.totalCentavos > availableCentavos) errors.push('insufficient_funds');
  return {
    fee,
    feeCentavos: costs?.feeCentavos ?? null,
    totalCentavos: costs?.totalCentavos ?? null,
    receivedCentavos: costs?.receivedCentavos ?? null,
    remainingCentavos: costs && availableCentavos - costs.totalCentavos,
    ...sendable,
    minimumCentavos: minimumOf(terms, type),
    maximumCentavos: terms.limits[RANGE_LIMITS[type].maximum] ?? null,
    limits,
    quote,
    approvalAboveCentavos: approval,
    payeesAboveCentavos: payees,
    memo: memoOf(plan, rail.crypto),
    errors,
  };
}

const REJECTIONS = { daily: 'daily_limit_reached', night: 'night_limit_reached' } as const;

/** Over PIX the fee comes on top of the amount, over crypto it is taken out of it. */
function costsOf(type: WithdrawalPlan['type'], amountCentavos: bigint, fee: Fee) {
  const feeCentavos = feeOf(amountCentavos, fee);
  return type === 'pix_out'
    ? { feeCentavos, totalCentavos: amountCentavos + feeCentavos, receivedCentavos: amountCentavos }
    : { feeCentavos, totalCentavos: amountCentavos, receivedCentavos: amountCentavos - feeCentavos };
}

async function findRail(
  deps: Deps,
  terms: AccountTerms,
  plan: WithdrawalPlan,
): Promise<{ isOpen: boolean; crypto: CryptoRail | null }> {
  const isOff = terms.inactiveRails.includes(plan.type);
  const { mode, credentials } = terms;
  if (plan.type === 'pix_out') {
    const pix = await deps.rails.pixFor({ mode, credentialId: credentials.api_pix ?? null });
    return { isOpen: !isOff && Boolean(pix?.payouts), crypto: null };
  }
  const crypto = await deps.rails.cryptoFor({ mode, credentialId: credentials.plisio ?? null });
  return { isOpen: !isOff && crypto !== null, crypto };
}

function memoOf(plan: WithdrawalPlan, rail: CryptoRail | null): WithdrawalPreview['memo'] {
  if (plan.type === 'pix_out' || !hasMemo(plan.currency)) return 'none';
  return rail?.sendsMemos ? 'sent' : 'not_sent';
}

/** Returns the limits of a day and a night that the account has for withdrawals of a type. */
export function windowLimitsOf(
  { limits, used, dayEndsAt, night }: LimitUse,
  type: WithdrawalPlan['type'],
): WindowLimit[] {
  const daily = type === 'pix_out' ? limits.daily_limit_out_pix : limits.daily_limit_out_crypto;
  const usedToday = type === 'pix_out' ? used.pixTodayCentavos : used.cryptoTodayCentavos;
  const found: WindowLimit[] = [];
  if (daily !== null) {
    found.push({ name: 'daily', limitCentavos: daily, usedCentavos: usedToday, countsNow: true, endsAt: dayEndsAt });
  }
  const nightly = type === 'pix_out' ? limits.night_limit_out_pix : null;
  if (nightly !== null) {
    const usedCentavos = used.pixTonightCentavos;
    const endsAt = night?.end ?? null;
    found.push({ name: 'night', limitCentavos: nightly, usedCentavos, countsNow: night !== null, endsAt });
  }
  return found;
}

/** Whether withdrawals of this sum would pass a limit that counts now. */
export const isPassed = (
  { countsNow, usedCentavos, limitCentavos }: WindowLimit,
  amountCentavos: bigint | null,
): boolean => countsNow && amountCentavos !== null && usedCentavos + amountCentavos > limitCentavos;
