import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { reportFuzz } from './report.ts';
import { fuzzNames, runFuzz } from './run-fuzz.ts';
import { startServiceProcess } from './start-service-process.ts';

/** Half over REST, the others to the panel's and the console's procedures. */
const REQUESTS_DEFAULT = 10_000;

const USAGE = `npm run fuzz -- [--seed N] [--only NAME,…] [--requests N]
  Sends ${REQUESTS_DEFAULT.toLocaleString('en')} requests with hostile values to a service of its own, over loopback, half over REST as the OpenAPI
  document describes it, the others to the panel's and the console's procedures, and judges every answer, the log, the ledger and the memory.
  --seed      repeats the choices of the run that printed it
  --only      these operations: createPixCharge, keys.create, operator.mail.list, …
  --requests  another number of them`;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    requests: { type: 'string' },
    help: { type: 'boolean' },
  },
});

if (options.help) console.log(USAGE);
else process.exit(await run());

async function run(): Promise<number> {
  const seed = options.seed === undefined ? randomInt(2 ** 31) : Number(options.seed);
  const requests = Number(options.requests ?? REQUESTS_DEFAULT);
  if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(requests)) {
    console.error(USAGE);
    return 1;
  }
  const only = options.only?.split(',');
  const unknown = only?.find((name) => !fuzzNames().includes(name));
  if (unknown !== undefined) {
    console.error(`There is no operation "${unknown}".\n${USAGE}`);
    return 1;
  }
  console.error(`  seed ${seed}`);
  const started = performance.now();
  const { target, supervision, stop } = await startServiceProcess();
  try {
    const onNote = (line: string) => console.error(`  ${line}`);
    const result = await runFuzz(target, supervision, { requests, seed, onNote, ...(only && { only }) });
    console.log(`${reportFuzz(result, seed)}, ${((performance.now() - started) / 1000).toFixed(0)} s`);
    return result.failures.length > 0 ? 1 : 0;
  } finally {
    await stop();
  }
}
