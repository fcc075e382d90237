import type { Command } from 'commander';
import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { parseDuration } from '#domain/accounts/test-clock.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { advanceTestClockAsOperator, type ClockState, getTestClock } from '#services/accounts/test-clock.ts';
import { asId } from './as-id.ts';
import { CommandError, type CommandContext as Context, withContext } from './context.ts';
import { print } from './print.ts';

/** How often the command checks whether the clock has arrived. */
const LOOK_MS = 100;
/** A worker moves a clock for 5 minutes at most: after this no worker is running. */
const WAIT_MAX_MS = 6 * 60_000;

type Options = { json?: boolean };

/** Adds the commands of the test clock: show, advance. */
export function addClockCommands(program: Command): void {
  const clock = program.command('clock').description('the time of a test account, which can be moved forward');
  clock
    .command('show <accountId>')
    .description('what time it is for a test account')
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, { json }: Options) => {
      const id = asId('account', typedId);
      report(json, await withContext((context) => stateOf(context, id)));
    });
  clock
    .command('advance <accountId> <duration>')
    .description('move it forward by 90s, 15m, 12h or 30d, and wait until it has arrived; the service has to run')
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, duration: string, { json }: Options) => {
      const id = asId('account', typedId);
      const byMs = parseDuration(duration);
      if (byMs === null) throw new CommandError('Give a duration: 90s, 15m, 12h or 30d.');
      report(json, await withContext((context) => advance(context, id, byMs)));
    });
}

async function stateOf(context: Context, id: string): Promise<ClockState> {
  return getTestClock(context, await accountOf(context, id)).catch(inWords);
}

async function advance(context: Context, id: string, byMs: number): Promise<ClockState> {
  const account = await accountOf(context, id);
  await advanceTestClockAsOperator(context, account, { id: uuidv7(context.clock()), byMs }).catch(inWords);
  const until = performance.now() + WAIT_MAX_MS;
  for (;;) {
    const state = await getTestClock(context, account);
    if (state.targetAt === null) return state;
    if (performance.now() > until) {
      throw new CommandError('The clock does not move: is a worker of this service running? It goes on once one does.');
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function accountOf({ db, clock }: Context, id: string) {
  const terms = await findAccountTerms(db.pool, id, clock());
  if (!terms) throw new CommandError('There is no account with this id: "account list" shows them all.');
  return terms;
}

function inWords(error: unknown): never {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === 'live_account_clock') throw new CommandError('Only test accounts have a clock that can be moved.');
  if (error.code === 'clock_moving') throw new CommandError('The clock of this account is still being moved: wait.');
  throw new CommandError('A clock moves at most 366 days at a time, and is at most 3660 days ahead.');
}

function report(json: boolean | undefined, { now, aheadMs, targetAt, stoppedWhy }: ClockState): void {
  const answer = {
    now: now.toISOString(),
    ahead_seconds: Math.floor(aheadMs / 1000),
    target: targetAt?.toISOString() ?? null,
    stopped: stoppedWhy,
  };
  print(json, answer, () => [
    `now    ${answer.now}`,
    `ahead  ${answer.ahead_seconds} s`,
    ...(answer.target ? [`moving to ${answer.target}`] : []),
    ...(stoppedWhy ? [`It stopped before its target: ${stoppedWhy}.`] : []),
  ]);
}
