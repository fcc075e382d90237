import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Installation, withInstallation } from './installation.ts';
import { CONNECTIONS, type Comparison, compare, ROUND_SECONDS, ROUNDS } from './measure.ts';
import { chargeRequest, operations } from './operations.ts';
import { profile } from './profile.ts';
import { table } from './report.ts';
import { assertSameAnswers, send } from './same-work.ts';

const USAGE = `npm run bench -- [--json | --profile]
  Compares the service with a bare node:http + pg server that does the same work, on the same database, in about 90 s.
  --json     the result as JSON
  --profile  no comparison: a CPU profile of the service for each operation, and where its time went`;

/** So many charges are asked the status of, in turn: one alone would be asked from a single hot row. */
const CHARGES = 50;

const { values: options } = parseArgs({
  options: { json: { type: 'boolean' }, profile: { type: 'boolean' }, help: { type: 'boolean' } },
});
const progress = (text: string) => console.error(`  ${text}`);

if (options.help) {
  console.log(USAGE);
} else {
  progress('Starting PostgreSQL, sandbox, service and baseline');
  await withInstallation(run).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}

async function run(installation: Installation): Promise<void> {
  const { service, baseline, apiKey } = installation;
  const transactionIds: string[] = [];
  for (let charge = 0; charge < CHARGES; charge++) {
    const { data } = (await send(service.url, chargeRequest(apiKey))) as { data: { transaction_id: string } };
    transactionIds.push(data.transaction_id);
  }
  const todo = operations(apiKey, transactionIds);
  await assertSameAnswers(service.url, baseline.url, todo);

  const comparisons: Comparison[] = [];
  for (const operation of todo) {
    progress(`${options.profile ? 'Profiling' : 'Measuring'}: ${operation.name}`);
    if (options.profile) console.log(`\n${await profile(installation, operation)}`);
    else comparisons.push(await compare(installation, operation));
  }
  if (options.profile) return;
  const setting = {
    node: process.version,
    cores: availableParallelism(),
    connections: CONNECTIONS,
    rounds: ROUNDS,
    roundSeconds: ROUND_SECONDS,
  };
  if (options.json) return console.log(JSON.stringify({ ...setting, operations: comparisons }, null, 2));
  console.log(`\n${table(comparisons)}\n`);
  console.log(
    `Node ${setting.node}, ${setting.cores} cores, ${CONNECTIONS} connections; medians of ${ROUNDS} rounds of ${ROUND_SECONDS} s each.\nCPU µs: of the server's own process, for a request. ratio: service / baseline, in requests per second.`,
  );
}
