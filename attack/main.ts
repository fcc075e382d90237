import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { copyTemplate, startTestServer } from '#db/testing/test-server.ts';
import { reportTable } from './report.ts';
import { type AttackResult, runSubject } from './subject.ts';
import { SUBJECTS } from './subjects.ts';

const USAGE = `npm run attack -- [--only NAME,…] [--seed N] [--short]
  Attacks a service of its own, on a database of its own, over loopback, and says what held.
  --only   these subjects: ${SUBJECTS.map(({ name }) => name).join(', ')}
  --seed   repeats the choices of the run that printed it
  --short  as many tries as npm test makes`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string' },
    short: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

if (options.help) console.log(USAGE);
// Ends the process even if a subject left something open.
else process.exit(await run());

async function run(): Promise<number> {
  const names = options.only?.split(',') ?? SUBJECTS.map(({ name }) => name);
  const unknown = names.find((name) => !SUBJECTS.some((subject) => subject.name === name));
  if (unknown !== undefined) {
    console.error(`There is no subject "${unknown}".\n${USAGE}`);
    return 1;
  }
  const seed = options.seed === undefined ? randomInt(2 ** 31) : Number(options.seed);
  console.error(`  seed ${seed}`);
  const onNote = (line: string) => console.error(`  ${line}`);
  const server = await startTestServer();
  const results: AttackResult[] = [];
  try {
    for (const subject of SUBJECTS.filter(({ name }) => names.includes(name))) {
      const started = performance.now();
      const createDatabase = () => copyTemplate(server);
      results.push(...(await runSubject(subject, { isLong: !options.short, seed, createDatabase, onNote })));
      console.error(`  ${subject.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
  } finally {
    await server.stop();
  }
  console.log(`\n${reportTable(results)}\nseed ${seed}`);
  return results.some(({ broken }) => broken.length > 0) ? 1 : 0;
}
