import { type ClockAhead, findTestClock, findTestClockOf } from '#db/accounts/test-clocks.ts';
import type { TaskKind } from '#db/tasks/tasks.ts';
import { isSandboxRail } from '#domain/sandbox/sandbox-commands.ts';
import { onSandboxClock } from '#rails/on-sandbox-clock.ts';
import type { Deps } from '../deps.ts';

/** The same dependencies in an account's time; its sandbox answers by it, too. */
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

/** In the service's own time again. */
function offTestClock({ testClock, ...deps }: Deps): Deps {
  return testClock ? { ...deps, clock: testClock.ownClock, rails: testClock.ownRails } : deps;
}

/** In the time of an account: of one that may have a clock, that is looked up each time. */
export async function inTimeOf(deps: Deps, account: { accountId: string; hasTestClock: boolean }): Promise<Deps> {
  const clock = account.hasTestClock ? await findTestClock(deps.db.pool, account.accountId) : null;
  return clock ? onTestClock(deps, clock) : deps;
}

/**
 * In the time of the account that a provider's word is about: `kind` is the task that asks for the
 * same. Only what goes over the sandbox's rails can be of an account with a clock.
 */
export async function inTimeOfSubject(
  deps: Deps,
  railName: string,
  subject: { kind: TaskKind; subjectId: string },
): Promise<Deps> {
  const clock = isSandboxRail(railName) ? await findTestClockOf(deps.db.pool, subject) : null;
  return clock ? onTestClock(deps, clock) : deps;
}

/**
 * The service's own time, whatever an account's clock says: for what is about people and their
 * sessions, keys and mails, for the audit, and for what another system compares with its own clock.
 */
export const ownTime = (deps: Pick<Deps, 'clock' | 'testClock'>): Date => (deps.testClock?.ownClock ?? deps.clock)();

/** What time it is for the account of a row that says how far ahead that is. */
export const timeAtAccount = (deps: Pick<Deps, 'clock' | 'testClock'>, { aheadMs }: { aheadMs: bigint }): Date =>
  new Date(ownTime(deps).getTime() + Number(aheadMs));
