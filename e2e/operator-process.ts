import pg from 'pg';
import { type CommandContext, withContext } from '../src/cli/context.ts';
import { createProgram } from '../src/cli/program.ts';
import { startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { receiveCallback } from '../src/services/callbacks/receive-callback.ts';
import { putReconciledDays, type ReconciledDays } from '../src/testing/put-reconciled-days.ts';
import { putUnmatchedMoney, type UnmatchedMoney } from './put-unmatched-money.ts';

/**
 * Runs the operator's commands for one worker of the flows, one after the other, in one process:
 * loading the command line takes longer than most commands. The command as a person types it has
 * tests of its own.
 */

/**
 * A command's arguments, the id of a charge to expire, money without a charge, days of an account's
 * own PSP, or the rail of a callback that nothing can be read from.
 */
export type OperatorAsk =
  | { args: string[] }
  | { expire: string }
  | { unmatched: UnmatchedMoney }
  | { reconciled: ReconciledDays }
  | { callback: string };
export type OperatorRequest = { id: number } & OperatorAsk;
export type OperatorAnswer = { id: number; stdout: string; error?: string };

let before: Promise<void> = Promise.resolve();
process.on('message', (request: OperatorRequest) => {
  before = before.then(() => answer(request));
});
// The worker that started this process has ended.
process.on('disconnect', () => process.exit(0));

async function answer(request: OperatorRequest): Promise<void> {
  const lines: string[] = [];
  console.log = (line: string) => lines.push(line);
  let error: string | undefined;
  try {
    if ('expire' in request) await expire(request.expire);
    else if ('callback' in request) await withContext((context) => receive(context, request.callback));
    else if ('reconciled' in request) await reconcile(request.reconciled);
    else if ('unmatched' in request) lines.push(await putUnmatchedMoney(request.unmatched));
    else await createProgram().parseAsync(request.args, { from: 'user' });
  } catch (thrown) {
    error = String(thrown);
  }
  const result: OperatorAnswer = { id: request.id, stdout: lines.join('\n'), ...(error && { error }) };
  process.send?.(result);
}

/** Takes a callback of a rail that is not configured. */
const receive = (context: CommandContext, rail: string) => receiveCallback(context, { rail, body: '{}' });

/** Writes compared days of the account's own PSP. */
function reconcile(days: ReconciledDays): Promise<void> {
  return withContext(async ({ ownerUrl, clock }) => {
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    await putReconciledDays({ deps: { clock }, asOwner: async (sql) => void (await client.query(sql)) }, days);
    await client.end();
  });
}

/**
 * Moves a charge's end and its next check into the past, in the database of the running service: a
 * test can't wait a day.
 */
async function expire(chargeId: string): Promise<void> {
  const server = await startEmbeddedPostgres({ home: process.env.TRILHO_HOME ?? '', purpose: 'command' });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`UPDATE transactions SET expires_at = created_at - interval '1 minute' WHERE id = $1`, [chargeId]);
  await client.query(`UPDATE tasks SET due_at = now() WHERE subject_id = $1 AND kind = 'sync_charge'`, [chargeId]);
  await client.end();
  await server.stop();
}
