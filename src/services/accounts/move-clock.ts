import {
  endClockMove,
  findNextDueByClock,
  isCallbackWaiting,
  isTaskUnchanged,
  keepHolding,
  listTransactionIds,
  listWaitingCallbacks,
  setClockAhead,
  takeInTasks,
} from '#db/accounts/test-clocks.ts';
import { LEASE_MS } from '#db/tasks/tasks.ts';
import type { ClockStop } from '#domain/accounts/test-clock.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import type { SandboxClockState } from '#rails/sandbox-control.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { readUnreported } from '../sweeps/sweep-payments.ts';

/** How long a clock stays held by a worker that died; a live one renews this before each step. */
const HOLD_MS = 60_000;
/**
 * A move that takes longer stops where it is: with a receiver that hangs, each attempt takes
 * seconds.
 */
const MOVE_MAX_MS = 5 * 60_000;
/** How many of an account's transactions, the newest, the sandbox puts under its clock. */
const TAKEN_IN_MAX = 20_000;
/** How many of them one call to the sandbox names. */
const TAKEN_IN_AT_ONCE = 1_000;
const PIX_RAIL = 'sandbox';
/** Only callbacks over these rails can be about an account with a clock. */
const SANDBOX_RAILS = [PIX_RAIL, 'sandbox-crypto'];
/**
 * A callback or a task that fails is tried again by itself, a little later; the clock does not wait
 * for that.
 */
const WAIT_MS = 5_000;
const LOOK_MS = 10;

type Held = { accountId: string; holder: string };

/** Until when a worker holds a clock that it takes at `now`. */
export const holdUntil = (now: Date): Date => new Date(now.getTime() + HOLD_MS);

/**
 * Moves a clock to its target in steps, from one due time to the next: at each of them the sandbox
 * does what is due there, then `work` does what is due here, until neither has anything left to do;
 * then the clock moves on. So everything happens in the order of its due time, and at that time. A
 * process that is stopping leaves the rest to another one. `deps` are the service's own, not an
 * account's; `work` returns whether anything was due.
 */
export async function moveClock(
  deps: Deps,
  held: Held,
  work: () => Promise<boolean>,
  isStopping: () => boolean,
): Promise<void> {
  const { db, log } = deps;
  const { accountId } = held;
  const began = performance.now();
  if (!(await takeIn(deps, held))) return end(deps, held, 'sandbox_silent');
  // At first no count of the sandbox's: what it did before this move may not have been read.
  let unreported = -1;
  while (!isStopping()) {
    const clock = await keepHolding(db.pool, { ...held, heldUntil: holdUntil(deps.clock()) });
    if (!clock?.targetAt) return;
    const now = new Date(deps.clock().getTime() + clock.aheadMs);
    const state = await askSandbox(deps, held, now, []);
    if (!state) return end(deps, held, 'sandbox_silent');
    await awaitCallbacks(deps);
    if (state.unreported !== unreported) await askForUnreported(deps, held);
    unreported = state.unreported;
    if (performance.now() - began > MOVE_MAX_MS) {
      log.warn({ accountId }, 'A test clock took too long to move, and stopped before its target.');
      return end(deps, held, 'too_long');
    }
    // The sandbox may have something to do about what was sent to it meanwhile.
    if (await work()) continue;
    const due = await findNextDueByClock(db.pool, accountId);
    // Real time passes, too: what it made due meanwhile is done first.
    const next = earliest([clock.targetAt, due, state.next]);
    if (clock.targetAt <= now && next >= clock.targetAt) return end(deps, held, null);
    const aheadMs = next.getTime() - deps.clock().getTime();
    if (!(await setClockAhead(db.pool, { ...held, aheadMs }))) return;
  }
}

/**
 * Puts what the account had before its clock under the clock, here and at the sandbox, and waits
 * for what a worker has begun of it. Returns whether the sandbox has answered.
 */
async function takeIn(deps: Deps, held: Held): Promise<boolean> {
  const { pool } = deps.db;
  for (;;) {
    const tasks = await takeInTasks(pool, held.accountId);
    if (tasks.length === 0) break;
    // A planned retry looks like it, too, and is waited for in vain, once.
    const leaseEnd = deps.clock().getTime() + LEASE_MS;
    const begun = tasks.filter(({ attempts, dueAt }) => attempts > 0 && dueAt.getTime() <= leaseEnd);
    await waitWhile(async () => begun.length > 0 && (await isTaskUnchanged(pool, begun)));
  }
  const known = await listTransactionIds(pool, held.accountId, TAKEN_IN_MAX);
  for (let from = 0; from < known.length; from += TAKEN_IN_AT_ONCE) {
    const some = known.slice(from, from + TAKEN_IN_AT_ONCE);
    if (!(await askSandbox(deps, held, await timeOf(deps, held), some))) return false;
  }
  return true;
}

/** Reads what the sandbox did without a callback; where it can't say, a sweep reads it later. */
async function askForUnreported(deps: Deps, { accountId }: Held): Promise<void> {
  try {
    await readUnreported(deps, PIX_RAIL);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    deps.log.warn({ accountId, reason: error.message }, 'The sandbox does not say what it did without a callback.');
  }
}

async function timeOf(deps: Deps, held: Held): Promise<Date> {
  const clock = await keepHolding(deps.db.pool, { ...held, heldUntil: holdUntil(deps.clock()) });
  return new Date(deps.clock().getTime() + (clock?.aheadMs ?? 0));
}

/**
 * Has the sandbox do what is due by the clock at `now`, and put these transactions under the clock.
 * Returns the state of its clock; null when it does not answer.
 */
async function askSandbox(
  { sandbox, log }: Deps,
  { accountId }: Held,
  now: Date,
  transactionIds: string[],
): Promise<SandboxClockState | null> {
  // Without a sandbox nothing happens at a provider's.
  if (!sandbox) return { next: null, unreported: -1 };
  const answer = await sandbox.setClock({ id: accountId, now, txids: transactionIds.map(uuidToTxid) });
  if (answer.outcome === 'done') return answer.value;
  log.warn({ accountId, reason: answer.reason }, 'The sandbox does not move a test clock.');
  return null;
}

/** Waits, for a limited time, until any worker has processed the sandbox's callbacks so far. */
async function awaitCallbacks({ db }: Deps): Promise<void> {
  const waiting = await listWaitingCallbacks(db.pool, SANDBOX_RAILS);
  await waitWhile(async () => waiting.length > 0 && (await isCallbackWaiting(db.pool, waiting)));
}

/** Waits until `isBusy` says no, at most WAIT_MS. */
async function waitWhile(isBusy: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + WAIT_MS;
  while (performance.now() < until && (await isBusy())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

async function end(deps: Deps, held: Held, why: ClockStop | null): Promise<void> {
  await endClockMove(deps.db.pool, { ...held, why, now: deps.clock() });
}

const earliest = (instants: (Date | null)[]): Date =>
  new Date(Math.min(...instants.flatMap((instant) => (instant ? [instant.getTime()] : []))));
