import { type Command, Option } from 'commander';
import { type CallbackListing, type CallbackState, listCallbacks } from '#services/callbacks/list-callbacks.ts';
import { retryCallback } from '#services/callbacks/retry-callback.ts';
import { asId } from './as-id.ts';
import { withContext } from './context.ts';
import { counted } from './counted.ts';
import { print } from './print.ts';
import { type Problems, rejectProblem } from './reject-problem.ts';

const PROBLEMS: Problems<string> = {
  unknown: 'There is no such callback: "callbacks list" shows them.',
  due: 'It is being processed, or will be within half a minute.',
};

/** What one screen shows; `--before` goes on from its last line. */
const LISTED_MAX = 100;

/** Adds the commands of providers' callbacks: list, retry. */
export function addCallbackCommands(program: Command): void {
  const callbacks = program.command('callbacks').description('what providers have called back with');
  callbacks
    .command('list')
    .description('callbacks, newest first, with what came of each')
    .addOption(
      new Option('--state <state>', 'those that wait, or that named nothing known here').choices([
        'waiting',
        'unmatched',
      ]),
    )
    .option('--before <callback>', 'older than this one')
    .option('--json', 'answer in JSON')
    .action(async (options: { state?: CallbackState; before?: string; json?: boolean }) => {
      const { state = null, json } = options;
      const before = options.before === undefined ? null : asId('callback', options.before);
      const { callbacks: found } = await withContext((context) =>
        listCallbacks(context, { state, before, limit: LISTED_MAX }),
      );
      print(json, found.map(present), () =>
        found.length === 0
          ? ['There is no callback.']
          : found.map((one) => `${one.id}  ${one.receivedAt.toISOString()}  ${one.rail}  ${stateOf(one)}`),
      );
    });
  callbacks
    .command('retry <callback>')
    .description('process a callback again: the provider is asked about what it names; doing it twice changes nothing')
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, { json }: { json?: boolean }) => {
      const id = asId('callback', typedId);
      const outcome = await withContext(async (context) => rejectProblem(await retryCallback(context, id), PROBLEMS));
      print(json, { id, outcome }, () => [`Callback ${id} is processed within a second, if a worker runs.`]);
    });
}

function stateOf({ outcome, dueAt, attempts, lastError }: CallbackListing): string {
  if (dueAt === null) return outcome ?? '-';
  const tried =
    lastError === null
      ? 'waits'
      : `failed ${counted(attempts ?? 0, 'time')}, again ${dueAt.toISOString()}: "${lastError}"`;
  return outcome === null ? tried : `${tried}; before: ${outcome}`;
}

const present = (one: CallbackListing) => ({
  id: one.id,
  rail: one.rail,
  received_at: one.receivedAt.toISOString(),
  processed_at: one.processedAt?.toISOString() ?? null,
  outcome: one.outcome,
  attempts: one.attempts,
  due_at: one.dueAt?.toISOString() ?? null,
  error: one.lastError,
});
