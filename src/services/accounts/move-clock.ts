import {
  endClockMove,
  findNextDueByClock,
  isCallbackWaiting,
  keepHolding,
  listTransactionIds,
  listWaitingCallbacks,
  setClockAhead,
  takeInTasks,
} from '#db/accounts/test-clocks.ts';
import type { ClockStop } from '#domain/accounts/test-clock.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';

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
/** Only callbacks over these rails can be about an account with a clock. */
const SANDBOX_RAILS = ['sandbox', 'sandbox-crypto'];
/**
 * A callback that fails is tried again by itself, a little later; the clock does not wait for that.
 */
const CALLBACK_WAIT_MS = 5_000;
const CALLBACK_LOOK_MS = 10;

type Held = { accountId: string; holder: string };

/** Until when a worker holds a clock that it takes at `now`. */
export const holdUntil = (now: Date): Date => new Date(now.getTime() + HOLD_MS);

/**
 * Moves a clock to its target in steps, from one due time to the next: at each of them the sandbox
 * does what is due there, then `work` does what is due here, before the clock moves on. So
 * everything happens in the order of its due time, and at that time. A process that is stopping
 * leaves the rest to another one. `deps` are the service's own, not an account's.
 */
export async function moveClock(
  deps: Deps,
  held: Held,
  work: () => Promise<void>,
  isStopping: () => boolean,
): Promise<void> {
  const { db, log } = deps;
  const { accountId } = held;
  const began = performance.now();
  await takeInTasks(db.pool, accountId);
  const known = await listTransactionIds(db.pool, accountId, TAKEN_IN_MAX);
  for (let from = 0; from < known.length; from += TAKEN_IN_AT_ONCE) {
    if (!(await askSandbox(deps, held, await timeOf(deps, held), known.slice(from, from + TAKEN_IN_AT_ONCE)))) {
      return end(deps, held, 'sandbox_silent');
    }
  }
  while (!isStopping()) {
    const clock = await keepHolding(db.pool, { ...held, heldUntil: holdUntil(deps.clock()) });
    if (!clock?.targetAt) return;
    const now = new Date(deps.clock().getTime() + clock.aheadMs);
    const answer = await askSandbox(deps, held, now, []);
    if (!answer) return end(deps, held, 'sandbox_silent');
    await awaitCallbacks(deps);
    await work();
    const due = await findNextDueByClock(db.pool, accountId);
    // Real time passes, too: what it made due meanwhile is done first.
    const next = earliest([clock.targetAt, due, answer.next]);
    if (clock.targetAt <= now && next >= clock.targetAt) return end(deps, held, null);
    if (performance.now() - began > MOVE_MAX_MS) {
      log.warn({ accountId }, 'A test clock took too long to move, and stopped before its target.');
      return end(deps, held, 'too_long');
    }
    const aheadMs = next.getTime() - deps.clock().getTime();
    if (!(await setClockAhead(db.pool, { ...held, aheadMs }))) return;
  }
}

async function timeOf(deps: Deps, held: Held): Promise<Date> {
  const clock = await keepHolding(deps.db.pool, { ...held, heldUntil: holdUntil(deps.clock()) });
  return new Date(deps.clock().getTime() + (clock?.aheadMs ?? 0));
}

/**
 * Has the sandbox do what is due by the clock at `now`, and put these transactions under the clock.
 * Returns when its next step is due; null when it does not answer.
 */
async function askSandbox(
  { sandbox, log }: Deps,
  { accountId }: Held,
  now: Date,
  transactionIds: string[],
): Promise<{ next: Date | null } | null> {
  // Without a sandbox nothing happens at a provider's.
  if (!sandbox) return { next: null };
  const answer = await sandbox.setClock({ id: accountId, now, txids: transactionIds.map(uuidToTxid) });
  if (answer.outcome === 'done') return { next: answer.value };
  log.warn({ accountId, reason: answer.reason }, 'The sandbox does not move a test clock.');
  return null;
}

/** Waits, for a limited time, until any worker has processed the sandbox's callbacks so far. */
async function awaitCallbacks({ db }: Deps): Promise<void> {
  const waiting = await listWaitingCallbacks(db.pool, SANDBOX_RAILS);
  const until = performance.now() + CALLBACK_WAIT_MS;
  while (waiting.length > 0 && performance.now() < until && (await isCallbackWaiting(db.pool, waiting))) {
    await new Promise((resolve) => setTimeout(resolve, CALLBACK_LOOK_MS));
  }
}

async function end(deps: Deps, held: Held, why: ClockStop | null): Promise<void> {
  await endClockMove(deps.db.pool, { ...held, why, now: deps.clock() });
}

const earliest = (instants: (Date | null)[]): Date =>
  new Date(Math.min(...instants.flatMap((instant) => (instant ? [instant.getTime()] : []))));
