import { type Command, InvalidArgumentError } from 'commander';
import { getQueueState } from '#services/tasks/get-queue-state.ts';
import { listFailedTasks } from '#services/tasks/list-failed-tasks.ts';
import { runTaskNow, TASK_KINDS, type TaskKind } from '#services/tasks/run-task-now.ts';
import { asId } from './as-id.ts';
import { withContext } from './context.ts';
import { counted } from './counted.ts';
import { print } from './print.ts';
import { type Problems, rejectProblem } from './reject-problem.ts';

const PROBLEMS: Problems<string> = {
  unknown: 'There is no such task that has failed: "tasks list" shows them.',
  due: 'It is under way, or will be within half a minute.',
};

/** What one screen shows; `--before` goes on from its last line. */
const LISTED_MAX = 100;

/** Adds the commands of the queue: queue, tasks list, tasks retry. */
export function addQueueCommands(program: Command): void {
  program
    .command('queue')
    .description('how many tasks of each kind are due and scheduled, and for how long the oldest waits')
    .option('--json', 'answer in JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const states = (await withContext(getQueueState)).filter(({ due, scheduled }) => due + scheduled > 0);
      const rows = states.map(({ oldestDueSeconds, ...state }) => ({ ...state, oldest_due_seconds: oldestDueSeconds }));
      print(json, rows, () =>
        rows.length === 0
          ? ['Nothing waits.']
          : rows.map(
              ({ kind, due, scheduled, oldest_due_seconds: oldest }) =>
                `${kind.padEnd(25)} ${String(due).padStart(8)} due (oldest ${Math.floor(oldest)} s)  ${String(scheduled).padStart(8)} scheduled`,
            ),
      );
    });

  const tasks = program.command('tasks').description('background tasks whose last attempt failed');
  tasks
    .command('list')
    .description('tasks that failed, those of the newest subjects first; each is tried again by itself')
    .option('--kind <kind>', 'of one kind, e.g. payout', taskKind)
    .option('--before <task>', 'older than this one: KIND/SUBJECT of the last line', taskName)
    .option('--json', 'answer in JSON')
    .action(async (options: { kind?: TaskKind; before?: TaskName; json?: boolean }) => {
      const { kind = null, before = null, json } = options;
      const { tasks: found } = await withContext((context) =>
        listFailedTasks(context, { kind, before, limit: LISTED_MAX }),
      );
      const rows = found.map((one) => ({
        ...{ kind: one.kind, subject_id: one.subjectId, attempts: one.attempts },
        ...{ due_at: one.dueAt.toISOString(), error: one.lastError },
      }));
      print(json, rows, () =>
        rows.length === 0
          ? ['No task has failed.']
          : rows.map(
              (one) =>
                `${one.kind}/${one.subject_id}  ${counted(one.attempts, 'attempt')}  again ${one.due_at}  "${one.error}"`,
            ),
      );
    });
  tasks
    .command('retry <kind> <subject>')
    .description('run a task that failed now; a payout asks its provider, and is never sent again for it')
    .option('--json', 'answer in JSON')
    .action(async (typedKind: string, subject: string, { json }: { json?: boolean }) => {
      const task = { kind: taskKind(typedKind), subjectId: asId('subject', subject) };
      const outcome = await withContext(async (context) => rejectProblem(await runTaskNow(context, task), PROBLEMS));
      print(json, { kind: task.kind, subject_id: task.subjectId, outcome }, () => [
        `Task ${task.kind}/${task.subjectId} runs within a second, if a worker does.`,
      ]);
    });
}

type TaskName = { kind: TaskKind; subjectId: string };

function taskName(typed: string): TaskName {
  const [kind = '', ...subject] = typed.split('/');
  return { kind: taskKind(kind), subjectId: asId('subject', subject.join('/')) };
}

function taskKind(typed: string): TaskKind {
  const kind = TASK_KINDS.find((one) => one === typed);
  if (!kind) throw new InvalidArgumentError(`Choose one of: ${TASK_KINDS.join(', ')}.`);
  return kind;
}
