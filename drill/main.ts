import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type DrillResult, runDrill } from './drill.ts';
import { DRILLS, SHORT_FORM } from './drills.ts';
import { closingJson, closingLine, describeBroken } from './report.ts';
import { soak } from './soak.ts';
import { writeReport } from './write-report.ts';

/** The longest time of each drill in the long form, in minutes, unless another is given. */
const MINUTES_MAX_DEFAULT = 60;

const USAGE = `npm run drill -- [--short] [--only NAME,…] [--seed N] [--minutes N]
  Lets things fail under load in an installation of its own, over loopback, and says what was lost. A long run
  puts its rows into docs/reliability.md; the last line is JSON.
  --short    as many faults as npm test injects, of the drills that it runs
  --only     these drills: ${DRILLS.map(({ name }) => name).join(', ')}
  --seed     repeats the choices of the run that printed it
  --minutes  no further fault after so many minutes of a drill; where it is absent ${MINUTES_MAX_DEFAULT}, and ${soak.minutes} for ${soak.name}`;

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean' },
    only: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    help: { type: 'boolean' },
  },
});

if (options.help) console.log(USAGE);
// Ends the process even if a drill left something open.
else process.exit(await run());

async function run(): Promise<number> {
  const names = options.only?.split(',') ?? (options.short ? SHORT_FORM : DRILLS).map(({ name }) => name);
  const unknown = names.find((name) => !DRILLS.some((drill) => drill.name === name));
  if (unknown !== undefined) {
    console.error(`There is no drill "${unknown}".\n${USAGE}`);
    return 1;
  }
  const seed = options.seed === undefined ? randomInt(2 ** 31) : Number(options.seed);
  console.error(`  seed ${seed}`);
  const onNote = (line: string) => console.error(`  ${line}`);
  const results: DrillResult[] = [];
  for (const drill of DRILLS.filter(({ name }) => names.includes(name))) {
    const missing = drill.missing?.() ?? null;
    if (missing !== null) {
      console.error(`  ${drill.name} is left out: ${missing}`);
      // A run that asks for this drill by name does not succeed without it.
      if (options.only) return 1;
      continue;
    }
    const started = performance.now();
    const minutesMax = Number(options.minutes ?? drill.minutes ?? MINUTES_MAX_DEFAULT);
    const result = await runDrill(drill, { isLong: !options.short, seed, minutesMax, onNote });
    results.push(result);
    console.error(`  ${drill.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    for (const line of describeBroken(result)) console.log(line);
    console.log(closingLine(result));
  }
  if (!options.short) writeReport(results, seed);
  console.log(closingJson(results));
  return results.some(({ broken }) => broken.length > 0) ? 1 : 0;
}
