import type { Command } from 'commander';
import type { ForeignOperationRow } from '#db/unmatched/foreign-operations.ts';
import { unitsToDecimal } from '#domain/quotes/crypto-units.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import { listAllForeignOperations, takeNoteOfOperation } from '#services/unmatched/take-note-of-operation.ts';
import { asId } from './as-id.ts';
import { withContext } from './context.ts';
import { print } from './print.ts';
import { readReason } from './read-reason.ts';
import { type Problems, rejectProblem } from './reject-problem.ts';

const PROBLEMS: Problems<'acknowledged' | 'decided'> = {
  decided: 'There is no such operation that nobody has taken note of: "operation list --all" shows them all.',
};

/** Adds the commands of a crypto processor's operations that are not ours: list, acknowledge. */
export function addOperationCommands(program: Command): void {
  const operation = program
    .command('operation')
    .description('what was received or sent at a crypto processor without this service');
  operation
    .command('list')
    .description('operations that nobody has taken note of, oldest first')
    .option('--all', 'the others too, newest first')
    .option('--json', 'answer in JSON')
    .action(async ({ all, json }: { all?: boolean; json?: boolean }) => {
      const operations = await withContext((context) => listAllForeignOperations(context, { waiting: !all }));
      print(json, operations.map(present), () =>
        operations.length === 0
          ? [all ? 'Every operation was of this service.' : 'Somebody has taken note of every operation.']
          : operations
              .map(present)
              .map(
                (one) =>
                  `${one.id}  ${one.happened_at ?? '-'}  ${one.rail}  ${one.kind.padEnd(7)}  ${one.amount ?? '?'} ${one.currency ?? ''}  ${one.provider_id}${one.reason ? `  "${one.reason}"` : ''}`,
              ),
      );
    });
  operation
    .command('acknowledge <operation>')
    .description('take note of it: say what it was; no balance changes')
    .requiredOption('--reason <text>', 'what it was, for the audit', readReason)
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, { reason, json }: { reason: string; json?: boolean }) => {
      const id = asId('operation', typedId);
      const outcome = await withContext(async (context) =>
        rejectProblem(await takeNoteOfOperation(context, { id, reason, by: byOperator(context.operator) }), PROBLEMS),
      );
      print(json, { id, outcome }, () => [`Operation ${id} is noted.`]);
    });
}

const present = (one: ForeignOperationRow) => ({
  id: one.id,
  rail: one.rail,
  mode: one.mode,
  account_id: one.accountId,
  provider_id: one.providerId,
  kind: one.kind,
  currency: one.currency,
  amount: one.units === null ? null : unitsToDecimal(one.units),
  happened_at: one.happenedAt?.toISOString() ?? null,
  reason: one.reason,
  decided_by: one.decidedBy,
  decided_at: one.decidedAt?.toISOString() ?? null,
});
