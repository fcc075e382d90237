import { askClockMove, findTestClock } from '#db/accounts/test-clocks.ts';
import type { AuditEntry } from '#db/audit/audit.ts';
import {
  type ClockStop,
  moveProblem,
  TEST_CLOCK_AHEAD_DAYS_MAX,
  TEST_CLOCK_MOVE_DAYS_MAX,
} from '#domain/accounts/test-clock.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { invalidField } from '#domain/errors/invalid-field.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import type { Acting } from '../api-keys/principal.ts';
import { type AsOperator, actorEntry, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { ownTime } from './on-test-clock.ts';

/** The time of a test account. */
export type ClockState = {
  now: Date;
  aheadMs: number;
  /** The time to which the clock is being moved; null: it is not being moved. */
  targetAt: Date | null;
  /** Why the last move ended before its target; null: it did not. */
  stoppedWhy: ClockStop | null;
};

type Account = { accountId: string; mode: 'live' | 'test' };

type ClockDeps = Pick<Deps, 'db' | 'clock' | 'wakeWorkers' | 'testClock'>;

/** Returns the time of a test account. Throws DomainError `live_account_clock`. */
export async function getTestClock(
  deps: Omit<ClockDeps, 'wakeWorkers'>,
  { accountId, mode }: Account,
): Promise<ClockState> {
  if (mode !== 'test') throw new DomainError('live_account_clock');
  const clock = await findTestClock(deps.db.pool, accountId);
  const { aheadMs, targetAt, stoppedWhy } = clock ?? { aheadMs: 0, targetAt: null, stoppedWhy: null };
  return { now: new Date(ownTime(deps).getTime() + aheadMs), aheadMs, targetAt, stoppedWhy };
}

/** `id`: that of the request, which moves the clock once however often it is repeated. */
type ClockMove = { id: string; byMs: number };

/**
 * Has a worker move the time of a test account forward by `byMs`, doing what becomes due on the way
 * in the order of its due times. Returns the state right after the request, before the clock has
 * arrived. Throws DomainError `live_account_clock`, `clock_moving` while an earlier move is under
 * way, and `invalid_input` for a move that is too far.
 */
export const advanceTestClock = (deps: ClockDeps, acting: Acting & Account, move: ClockMove): Promise<ClockState> =>
  moveTestClock(deps, acting, move, (details) => actorEntry(deps, acting, ADVANCED, details));

/** As advanceTestClock(), by the operator, for any account. */
export const advanceTestClockAsOperator = (
  deps: ClockDeps & AsOperator,
  account: Account & { merchantId: string },
  move: ClockMove,
): Promise<ClockState> =>
  moveTestClock(deps, account, move, (details) => operatorEntry(deps, about(account), ADVANCED, details));

const ADVANCED = 'test_clock.advanced';

const about = ({ merchantId, accountId }: { merchantId: string; accountId: string }) => ({ merchantId, accountId });

async function moveTestClock(
  deps: ClockDeps,
  account: Account,
  { id, byMs }: ClockMove,
  entry: (details: AuditEntry['details']) => AuditEntry | null,
): Promise<ClockState> {
  const { accountId, mode } = account;
  if (mode !== 'test') throw new DomainError('live_account_clock');
  const now = ownTime(deps);
  const asked = await askClockMove(deps.db.pool, { id, accountId, now }, (aheadMs) => {
    rejectProblem(byMs, aheadMs + byMs);
    const targetAt = new Date(now.getTime() + aheadMs + byMs);
    return { targetAt, audit: entry({ to: targetAt.toISOString() }) };
  });
  if (asked === 'none') throw new DomainError('live_account_clock');
  if (asked === 'moving') throw new DomainError('clock_moving');
  deps.wakeWorkers();
  return getTestClock(deps, account);
}

function rejectProblem(byMs: number, aheadMs: number): void {
  const problem = moveProblem(byMs, aheadMs);
  if (problem === null) return;
  const issue = {
    clock_too_far: fieldIssue('by', 'clock_too_far', { days: TEST_CLOCK_MOVE_DAYS_MAX }),
    clock_too_far_ahead: fieldIssue('by', 'clock_too_far_ahead', { days: TEST_CLOCK_AHEAD_DAYS_MAX }),
  }[problem];
  throw invalidField(issue);
}
