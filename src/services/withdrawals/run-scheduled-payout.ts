import {
  beginScheduledPayout,
  findScheduledPayout,
  type ScheduledPayoutRow,
} from '#db/withdrawals/scheduled-payouts.ts';
import { findWithdrawal, type WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { PayoutFailure } from '#domain/withdrawals/payout-failures.ts';
import { nextTryAt } from '#domain/withdrawals/payout-schedule.ts';
import { aboutTransaction } from '#rails/call-trace.ts';
import type { PixRail } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { pixDestination } from '../payees/destination.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { endScheduled } from './end-scheduled.ts';
import { findHolder } from './find-holder.ts';
import { pixWithdrawalTerms } from './new-pix-withdrawal.ts';
import { ownerAtCreation, planNextPayout } from './plan-payout.ts';
import { openPixKey } from './request-pix-withdrawal.ts';
import { limitPeriods } from './withdrawal-terms.ts';

/**
 * Begins a scheduled payout at its time, as a withdrawal that is requested then; returns the time
 * of the next attempt, or null when it has begun or ended. Any number of processes may do so at
 * once: it begins once, under the id that it has had since it was planned, and the next one of its
 * schedule is planned once.
 *
 * It fails where a withdrawal would be rejected. With too little money it is tried again hourly,
 * three times. While the provider can't be queried, or is switched off, it throws
 * ProviderUnavailable and is tried again. Once its time has passed it fails, unless the provider
 * has it already.
 */
export async function runScheduledPayout(deps: Deps, id: string): Promise<Date | null> {
  const withdrawal = await findWithdrawal(deps.db.pool, id);
  const planned = await findScheduledPayout(deps.db.pool, id);
  if (!planned || withdrawal?.subStatus !== 'scheduled') return null;
  const { scheduledFor, beginsUntil } = planned;
  const now = deps.clock();
  if (now < scheduledFor) return scheduledFor;
  const isLate = now >= beginsUntil;
  const holder = isLate ? await findHolder(deps, withdrawal) : null;
  if (isLate && !holder) return fail(deps, withdrawal, planned, 'schedule_missed');
  const endAs = (failureCode: PayoutFailure): Promise<null> => {
    if (isLate) throw new Error(`Payout ${id} was sent by its provider, and can't begin here: ${failureCode}.`);
    return fail(deps, withdrawal, planned, failureCode);
  };
  const terms = await termsOfNow(deps, withdrawal);
  if ('failure' in terms) return endAs(terms.failure);
  const { feeCentavos, now: at } = terms;
  const rail = holder ?? terms.rail;
  if (!isLate && (await hasOwnerChanged(deps, rail, withdrawal, planned))) {
    return endAs('owner_changed');
  }
  const next = await planNextPayout(deps, withdrawal, planned);
  const destination = pixDestination(deps, withdrawal.accountId, openPixKey(deps, withdrawal));
  const begin = { id, feeCentavos, rail: rail.name, periods: limitPeriods(at), destination, next, now: at };
  const { outcome, shortSince } = await beginScheduledPayout(deps.db.pool, begin);
  if (outcome === 'requested') deps.wakeWorkers();
  if (outcome === 'requested') return null;
  // It has begun or ended meanwhile; or the clock was set back, and its time is still to come.
  if (outcome === 'not_due') return at < scheduledFor ? scheduledFor : null;
  if (outcome !== 'insufficient_funds') return endAs(FAILURES[outcome]);
  const again = shortSince && nextTryAt(shortSince, beginsUntil, now);
  return again ?? endAs('insufficient_balance');
}

/** The failure for each outcome by which the statement that holds the money rejects. */
const FAILURES = {
  suspended: 'account_stopped',
  kyc: 'account_stopped',
  paused: 'account_stopped',
  daily_limit: 'daily_limit_reached',
  night_limit: 'night_limit_reached',
  not_a_payee: 'not_a_payee',
  payee_waits: 'not_a_payee',
} as const satisfies Record<string, PayoutFailure>;

/** The failure for each error of the checks before it; after any other error it is tried again. */
const FAILURES_OF_TERMS: Partial<Record<string, PayoutFailure>> = {
  account_suspended: 'account_stopped',
  kyc_not_approved: 'account_stopped',
  below_minimum: 'below_minimum',
  above_maximum: 'above_maximum',
};

async function termsOfNow(deps: Deps, { accountId, amountCentavos }: WithdrawalRow) {
  try {
    return await pixWithdrawalTerms(deps, accountId, amountCentavos);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const failure = FAILURES_OF_TERMS[error.code];
    if (failure) return { failure };
    throw new ProviderUnavailable(`A scheduled payout can't begin now: ${error.code}.`);
  }
}

/**
 * Whether the key has another owner now, or none; false where the PSP has no such query or rejects
 * it. Throws ProviderUnavailable when it does not answer.
 */
async function hasOwnerChanged(
  deps: Deps,
  rail: PixRail,
  withdrawal: WithdrawalRow,
  planned: ScheduledPayoutRow,
): Promise<boolean> {
  const { findKeyOwner } = rail;
  const before = ownerAtCreation(deps, withdrawal, planned);
  if (!findKeyOwner || before === null) return false;
  const query = { pixKey: openPixKey(deps, withdrawal), amountCentavos: withdrawal.amountCentavos };
  const found = await aboutTransaction(withdrawal.id, () => findKeyOwner(query));
  if (found.outcome === 'unknown') throw new ProviderUnavailable(found.reason);
  if (found.outcome === 'rejected') {
    deps.log.warn({ transactionId: withdrawal.id, reason: found.reason }, 'The PSP no longer says whose a key is.');
    return false;
  }
  return found.value?.name !== before.name || found.value.document !== before.document;
}

async function fail(
  deps: Deps,
  withdrawal: WithdrawalRow,
  planned: ScheduledPayoutRow,
  failureCode: PayoutFailure,
): Promise<null> {
  // Nothing of the schedule may go to the new owner of the key.
  const next = failureCode === 'owner_changed' ? null : await planNextPayout(deps, withdrawal, planned);
  // The attempt to begin it has given it the fee of today, which its event has to say.
  const current = await findWithdrawal(deps.db.pool, withdrawal.id);
  if (current?.subStatus === 'scheduled') await endScheduled(deps, current, { to: 'failed', failureCode, next });
  return null;
}
