import { type ClockAhead, findTestClock, findTestClockOf } from '#db/accounts/test-clocks.ts';
import type { TaskKind } from '#db/tasks/tasks.ts';
import { isSandboxRail } from '#domain/sandbox/sandbox-commands.ts';
import { onSandboxClock } from '#rails/on-sandbox-clock.ts';
import type { Deps } from '../deps.ts';

/** `deps` in an account's time: the clock is ahead by `aheadMs`, and the sandbox answers by it. */
export function onTestClock(deps: Deps, { accountId, aheadMs }: ClockAhead): Deps {
  const known = deps.testClock;
  if (known?.accountId === accountId && known.aheadMs === aheadMs) return deps;
  const own = offTestClock(deps);
  return {
    ...own,
    clock: () => new Date(own.clock().getTime() + aheadMs),
    rails: onSandboxClock(own.rails, { accountId, aheadMs }, isSandboxRail),
    testClock: { accountId, aheadMs, ownClock: own.clock, ownRails: own.rails },
  };
}

/** `deps` in the service's own time. */
function offTestClock({ testClock, ...deps }: Deps): Deps {
  return testClock ? { ...deps, clock: testClock.ownClock, rails: testClock.ownRails } : deps;
}

/** `deps` in the time of an account; its clock, where it has one, is looked up on each call. */
export async function inTimeOf(deps: Deps, account: { accountId: string; hasTestClock: boolean }): Promise<Deps> {
  const clock = account.hasTestClock ? await findTestClock(deps.db.pool, account.accountId) : null;
  return clock ? onTestClock(deps, clock) : deps;
}

/**
 * `deps` in the time of the account that a callback is about; `kind` and `subjectId` are those of
 * the task that checks the same with the provider. Only the sandbox's rails have accounts with a
 * clock.
 */
export async function inTimeOfSubject(
  deps: Deps,
  railName: string,
  subject: { kind: TaskKind; subjectId: string },
): Promise<Deps> {
  const clock = isSandboxRail(railName) ? await findTestClockOf(deps.db.pool, subject) : null;
  return clock ? onTestClock(deps, clock) : deps;
}

/** As inTimeOfSubject(), for a callback or an entry of a list that is about a transaction. */
export const inTimeOfTransaction = (deps: Deps, railName: string, id: string): Promise<Deps> =>
  // Charges, invoices and withdrawals have their account in one place.
  inTimeOfSubject(deps, railName, { kind: 'payout', subjectId: id });

/**
 * The service's own time, whatever an account's clock says: for people and their sessions, keys and
 * mails, for the audit, and for times that another system compares with its own clock.
 */
export const ownTime = (deps: Pick<Deps, 'clock' | 'testClock'>): Date => (deps.testClock?.ownClock ?? deps.clock)();

/** An account's time, for what the operator decides about it from outside. */
export async function timeOfAccount(deps: Pick<Deps, 'db' | 'clock' | 'testClock'>, accountId: string): Promise<Date> {
  const clock = await findTestClock(deps.db.pool, accountId);
  return timeAtAccount(deps, { aheadMs: BigInt(clock?.aheadMs ?? 0) });
}

/** The time of the account of a row; `aheadMs`: how far that account's clock is ahead. */
export const timeAtAccount = (deps: Pick<Deps, 'clock' | 'testClock'>, { aheadMs }: { aheadMs: bigint }): Date =>
  new Date(ownTime(deps).getTime() + Number(aheadMs));
