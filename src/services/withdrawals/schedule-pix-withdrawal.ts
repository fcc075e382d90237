import { type ScheduleTerms, schedulePayout } from '#db/withdrawals/scheduled-payouts.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { invalidField } from '#domain/errors/invalid-field.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { APPROVE_WITHIN_MS } from '#domain/withdrawals/approvals.ts';
import { datesForFirst, REPEAT_YEARS_MAX, scheduleIssue } from '#domain/withdrawals/payout-schedule.ts';
import type { PixRail, PixReceiver } from '#rails/ports.ts';
import type { Acting } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import { rejectUnlessPayee } from '../payees/reject-unless-payee.ts';
import { type PixWithdrawalInput, pixWithdrawalTerms } from './new-pix-withdrawal.ts';
import { planPayout } from './plan-payout.ts';
import { askerOf, rejectMoneyOut } from './reject-money-out.ts';
import {
  findRequested,
  orRequestedBefore,
  type RequestedPixWithdrawal,
  rejectUnlessRequested,
  requestedEntry,
  subStatusOf,
} from './request-pix-withdrawal.ts';

/**
 * Schedules a PIX for a later date, once or repeatedly, at eight o'clock in São Paulo. Who requests
 * it, and whether a second person has to approve it, is checked now; limits and balance are checked
 * when it begins, except that with `reserve` the money is held from now on. A PSP that can name the
 * owner of a key is queried now and again when it begins.
 *
 * Errors: invalid_input (a date that is too early or too late, or a schedule that is too long), and
 * those of requestPixWithdrawal without the day's and the night's limits; invalid_pix_key where the
 * PSP says that the key is not registered, key_owner_unknown where it does not answer.
 */
export const schedulePixWithdrawal = (
  deps: Deps,
  acting: Acting,
  input: PixWithdrawalInput,
  schedule: Omit<ScheduleTerms, 'scheduleId'>,
): Promise<RequestedPixWithdrawal> =>
  orRequestedBefore(deps, acting.accountId, input.id, () => scheduleNow(deps, acting, input, schedule));

async function scheduleNow(
  deps: Deps,
  acting: Acting,
  input: PixWithdrawalInput,
  schedule: Omit<ScheduleTerms, 'scheduleId'>,
): Promise<RequestedPixWithdrawal> {
  const { id, amountCentavos } = input;
  const { accountId, actor } = acting;
  rejectDates(schedule, deps.clock());
  const { rail, feeCentavos, now } = await pixWithdrawalTerms(deps, accountId, amountCentavos);
  const owner = await findOwner(deps, rail, input);
  const by = askerOf(actor);
  const plan = { ...schedule, scheduleId: id, number: 1, date: schedule.firstOn, owner };
  const planned = planPayout(deps, input, { accountId, rail: rail.name, feeCentavos, now }, plan);
  const { scheduledFor, beginsUntil } = planned;
  const approveUntil = new Date(Math.min(now.getTime() + APPROVE_WITHIN_MS, beginsUntil.getTime()));
  const audit = requestedEntry(deps, acting, input);
  const outcome = await schedulePayout(deps.db.pool, planned, by, approveUntil, audit);
  await rejectMoneyOut(deps, outcome, { accountId, by, now });
  await rejectUnlessPayee(deps, outcome, accountId, planned.withdrawal.destination);
  await rejectUnlessRequested(deps, outcome, planned.withdrawal);
  if (outcome === 'exists') return findRequested(deps, accountId, id);
  deps.wakeWorkers();
  return { id, amountCentavos, feeCentavos, createdAt: now, subStatus: subStatusOf(outcome), scheduledFor };
}

function rejectDates(schedule: Pick<ScheduleTerms, 'firstOn' | 'repeat'>, now: Date): void {
  const issue = scheduleIssue(schedule, now);
  if (issue === 'first') {
    const { from: min, to: max } = datesForFirst(now);
    throw invalidField(fieldIssue('scheduledFor', 'not_between', { min, max }));
  }
  if (issue === 'repeat') {
    const details = [fieldIssue('repeat', 'repeat_too_long', { years: REPEAT_YEARS_MAX })];
    throw new DomainError('invalid_input', { details });
  }
}

/**
 * Finds the owner of the key, before anything is written; null where this PSP can't say. Errors:
 * invalid_pix_key, key_owner_unknown.
 */
async function findOwner(deps: Deps, rail: PixRail, input: PixWithdrawalInput): Promise<PixReceiver | null> {
  if (!rail.findKeyOwner) return null;
  const { pixKey, amountCentavos } = input;
  const found = await rail.findKeyOwner({ pixKey, amountCentavos });
  if (found.outcome === 'done') {
    if (found.value === null) {
      throw new DomainError('invalid_pix_key', { details: [fieldIssue('pixKey', 'pix_key_not_registered')] });
    }
    return found.value;
  }
  deps.log.warn({ outcome: found.outcome, reason: found.reason }, 'The PSP did not say whose a PIX key is.');
  // Without the owner of today it could not be seen later that the owner has changed.
  if (found.outcome === 'unknown') throw new DomainError('key_owner_unknown');
  return null;
}
