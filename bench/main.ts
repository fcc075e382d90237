import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { DELIVERIES_WANTED, measureChain, measureDeliveries } from './chain.ts';
import { createCharges } from './create-charges.ts';
import { GROWTH_MS_WANTED, measureGrowth } from './growth.ts';
import { type Installation, withInstallation } from './installation.ts';
import { measureJavascript, type PageJavascript } from './javascript.ts';
import { LEDGER_ROUNDS, measureLedger } from './ledger-rates.ts';
import { CONNECTIONS, type Comparison, compare, ROUND_SECONDS, ROUNDS } from './measure.ts';
import { operations, RATIO_WANTED } from './operations.ts';
import { measurePaint, type PagePaint } from './page-paint.ts';
import { measurePanel, TRANSACTIONS } from './panel-times.ts';
import { END_ROUNDS, measurePeers, PEER_RATIO_WANTED, PEER_ROUNDS } from './peers/measure-peers.ts';
import { profile } from './profile.ts';
import {
  chainTable,
  costLine,
  deliveriesTable,
  growthTable,
  javascriptTable,
  ledgerTable,
  paintTable,
  panelTable,
  peersTable,
  peersText,
  scaleTable,
  sealingText,
  startTable,
  table,
  webProcessesTable,
} from './report.ts';
import { assertSameAnswers } from './same-work.ts';
import { daysNeeds } from './scale.ts';
import { measureSealing } from './sealing-cost.ts';
import { measureMemory, measureStarts } from './starts.ts';
import { measureWebProcesses } from './web-processes.ts';
import { publish, type Report } from './write-report.ts';

const USAGE = `npm run bench -- [operations | web-processes | chain | deliveries | start | scale | ledger | pages | growth | peers]
                 [--json | --profile]
  Prints what it measures, and puts it into docs/bench with a picture, the commit and the machine.
  operations  what is done without a word: the service beside a bare node:http + pg server, and beside an ordinary
              application of Next and Prisma, that do the same work on the same database; then the panel's list and overview in an account of 100,000 transactions, and the
              JavaScript and the first paint of the pages. In about three minutes
  web-processes
              two web processes against one: reads and charges on the same database, over as many connections in all,
              in turns; ends with the ledger check. In about two minutes
  chain       from a charge to its webhook, with the service as npm start starts it: at a pace, and at full speed
  deliveries  webhooks of a hundred merchants behind one origin, while all of them answer and while one hangs
  start       how long a start takes, the first and a later one, and the memory at rest and after --minutes of load
  scale       what days of different sizes need, up to Brazil's whole PIX: simulated by what chain measures before it
  ledger      the ledger's statements alone, beside TPC-B on the same PostgreSQL: withdrawals and charges over one
              account and over twenty; ends with the ledger check
  pages       the pages alone
  growth      every list, search, filter and figure of the panel and the API in an account of 10 thousand transactions
              and in one of a million, and the ledger check: in about ten minutes, with 5 GB of disk
  peers       PIX withdrawals over REST beside the transfers of Blnk and Formance, which are built by Go, on the same
              PostgreSQL: over one account and over twenty; ends with the ledger check. In about five minutes
  --blnk, --formance
              peers: a checkout to build it from, in place of a clone of its repository
  --sizes     growth: other numbers of transactions, as 10000,10000000: ten million take an hour and 50 GB
  --only      growth: the calls whose names contain this text
  --explain   growth: also the plans of their statements, as the database ran them
  --minutes   start: of load before the memory is measured, 10 where it is absent
  --json      the result as JSON
  --profile   no comparison: a CPU profile of the service for each operation, and where its time went`;

const PARTS = [
  'operations',
  'web-processes',
  'chain',
  'deliveries',
  'start',
  'scale',
  'ledger',
  'pages',
  'growth',
  'peers',
];

/** The sizes of the account that are measured unless others are given. */
const SIZES = '10000,1000000';

const {
  values: options,
  positionals: [part],
} = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    json: { type: 'boolean' },
    profile: { type: 'boolean' },
    only: { type: 'string' },
    explain: { type: 'boolean' },
    sizes: { type: 'string', default: SIZES },
    blnk: { type: 'string' },
    formance: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const progress = (text: string) => console.error(`  ${text}`);

/** The figures for programs, and the report for people. */
type Measured = { figures: object; report: Omit<Report, 'name' | 'loadBefore'> };

/** The parts that start by themselves what they measure. */
const MEASURED: Record<string, () => Promise<Measured>> = {
  'web-processes': webProcesses,
  chain,
  deliveries,
  start,
  scale,
  ledger,
  growth,
  peers,
};
const measured = MEASURED[part ?? ''];

if (options.help || (part !== undefined && !PARTS.includes(part))) {
  console.log(USAGE);
} else if (part !== undefined && measured) {
  await announce(part, measured);
} else {
  progress('Starting PostgreSQL, sandbox, service and baseline');
  await withInstallation(run, progress).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}

async function announce(name: string, measure: () => Promise<Measured>): Promise<void> {
  const [loadBefore = 0] = loadavg();
  const { figures, report } = await measure();
  if (options.json) console.log(JSON.stringify({ loadBefore, ...figures }, null, 2));
  else publish({ ...report, name, loadBefore });
}

async function run(installation: Installation): Promise<void> {
  if (part === 'pages') return pages(installation);
  const [loadBefore = 0] = loadavg();
  const { service, baseline, ordinary, apiKey } = installation;
  const todo = operations(apiKey, await createCharges(service.url, apiKey));
  for (const other of [baseline, ordinary]) await assertSameAnswers(service.url, other.url, todo);

  const comparisons: Comparison[] = [];
  for (const operation of todo) {
    progress(`${options.profile ? 'Profiling' : 'Measuring'}: ${operation.name}`);
    if (options.profile) console.log(`\n${await profile(installation, operation)}`);
    else comparisons.push(await compare(installation, operation));
  }
  if (options.profile) return;
  progress(`Measuring: the panel, with ${TRANSACTIONS.toLocaleString('en')} transactions`);
  const panel = await measurePanel(installation);
  progress('Measuring: the JavaScript of the pages');
  const javascript = await measureJavascript(installation);
  progress('Measuring: what the pages paint');
  const paint = await measurePaint(installation, progress);
  const setting = {
    node: process.version,
    cores: availableParallelism(),
    loadBefore,
    connections: CONNECTIONS,
    rounds: ROUNDS,
    roundSeconds: ROUND_SECONDS,
  };
  if (options.json)
    return console.log(JSON.stringify({ ...setting, operations: comparisons, panel, javascript, paint }, null, 2));
  publish({
    name: 'operations',
    title: 'Requests a second, service over baseline',
    text: `${table(comparisons)}

${CONNECTIONS} connections; medians of ${ROUNDS} rounds of ${ROUND_SECONDS} s each.
CPU µs: of the server's own process, for a request. ratio: service / baseline, in requests per second.

${panelTable(panel)}

The panel's procedures in an account of ${TRANSACTIONS.toLocaleString('en')} transactions, one call at a time. baseline: the least SQL that reads the same rows.`,
    bars: comparisons.map(({ name, ratio }) => ({ label: name, value: ratio, text: ratio.toFixed(2) })),
    wanted: RATIO_WANTED,
    loadBefore,
  });
  say(javascript, paint);
}

async function webProcesses(): Promise<Measured> {
  const rates = await measureWebProcesses(progress);
  const cores = availableParallelism();
  const report = {
    title: 'Requests a second, two web processes over one',
    text: `${webProcessesTable(rates)}

${CONNECTIONS} connections in all, half to each of two; medians of ${ROUNDS} rounds of ${ROUND_SECONDS} s each, in turns.
ratio: two processes / one, in requests per second. CPU µs: of the web processes, for a request; cores: what they keep busy.
PostgreSQL, the simulated PSP and the client share the ${cores} cores with them: where those are busy, a second process gains little.`,
    bars: rates.map(({ name, ratio }) => ({ label: name, value: ratio, text: ratio.toFixed(2) })),
  };
  return { figures: { cores, webProcesses: rates }, report };
}

async function ledger(): Promise<Measured> {
  const rates = await measureLedger(progress);
  const sealing = await measureSealing(progress);
  const report = {
    title: 'Operations of the ledger a second, over TPC-B',
    text: `${ledgerTable(rates)}

Operations a second, medians of ${LEDGER_ROUNDS} rounds: over as many connections as the process that runs them has by default,
and over all that a service has.
ratio: to TPC-B as pgbench sends it, statement by statement; one call: TPC-B in a function. flat: the last round's rate over the first's.

${sealingText(sealing)}`,
    bars: rates.map(({ name, connections, ratio }) => ({
      label: `${name}, ${connections} connections`,
      value: ratio,
      text: ratio.toFixed(2),
    })),
  };
  return { figures: { ledger: rates, sealing }, report };
}

async function growth(): Promise<Measured> {
  const sizes = options.sizes.split(',').map(Number);
  const growths = await measureGrowth(sizes, { explain: options.explain ?? false, only: options.only ?? '', progress });
  for (const { calls } of options.json ? [] : growths)
    for (const { name, plans } of calls) if (plans.length > 0) console.log(`\n== ${name}\n\n${plans.join('\n\n')}`);
  const report = {
    title: 'Milliseconds of a call in the largest account',
    text: `${growthTable(growths)}

Medians of nine calls, one at a time, from the call to its answer without HTTP. ratio: of the largest account over the smallest.
${growths
  .map(
    ({ transactions, loadBefore, databaseBytes }) =>
      `${transactions.toLocaleString('en')} transactions: ${(databaseBytes / 1e9).toFixed(1)} GB; the machine's load before: ${loadBefore.toFixed(2)}.`,
  )
  .join('\n')}`,
    bars: (growths.at(-1)?.calls ?? []).map(({ name, ms }) => ({ label: name, value: ms, text: ms.toFixed(1) })),
    wanted: GROWTH_MS_WANTED,
  };
  return { figures: { growth: growths }, report };
}

async function peers(): Promise<Measured> {
  const { blnk, formance } = options;
  const measured = await measurePeers({ blnk, formance }, progress);
  const report = {
    title: 'Withdrawals a second, over transfers of other ledgers',
    text: `${peersTable(measured.rates)}

${CONNECTIONS} connections; medians of ${PEER_ROUNDS} rounds of ${ROUND_SECONDS} s each, in turns. flat: the service's rate in the last ${END_ROUNDS} rounds over that in the first ${END_ROUNDS}.
${peersText(measured)}`,
    bars: measured.rates.flatMap(({ name, peers }) =>
      peers.map((peer) => ({ label: `${name}, over ${peer.name}`, value: peer.ratio, text: peer.ratio.toFixed(2) })),
    ),
    wanted: PEER_RATIO_WANTED,
  };
  return { figures: measured, report };
}

async function chain(): Promise<Measured> {
  const rates = await measureChain(progress);
  const { paced, full, cost } = rates;
  const report = {
    title: 'From a charge to its webhook',
    text: `${chainTable(rates)}

A charge, its payment at the simulator, the callback, the ledger, the webhook: all on this machine, with those who ask.
webhook: from the payer's order to the first byte. waiting: paid charges whose webhook had not come, the most at once.
${costLine(cost)}`,
    bars: [
      { label: 'webhooks a second, full speed', value: full.delivered, text: full.delivered.toFixed(0) },
      {
        label: 'ms to the webhook at a pace, p50',
        value: paced.webhookP50Ms,
        text: `${paced.webhookP50Ms.toFixed(1)} ms`,
      },
      { label: 'the same, p99', value: paced.webhookP99Ms, text: `${paced.webhookP99Ms.toFixed(1)} ms` },
    ],
  };
  return { figures: { chain: rates }, report };
}

async function deliveries(): Promise<Measured> {
  const rates = await measureDeliveries(progress);
  const report = {
    title: 'Milliseconds from a payment to its webhook, p99',
    text: `${deliveriesTable(rates)}

A hundred merchants behind one origin; those that answer. From the payer's order to the first byte of the webhook.`,
    bars: [
      { label: 'all answer', value: rates.answering.webhookP99Ms, text: rates.answering.webhookP99Ms.toFixed(1) },
      { label: 'one hangs', value: rates.oneHangs.webhookP99Ms, text: rates.oneHangs.webhookP99Ms.toFixed(1) },
    ],
    wanted: DELIVERIES_WANTED.p99Ms,
  };
  return { figures: { deliveries: rates }, report };
}

async function start(): Promise<Measured> {
  const minutes = Number(options.minutes);
  const times = await measureStarts(progress);
  const memory = await measureMemory(minutes, progress);
  const report = {
    title: 'Seconds until the service is ready',
    text: `${startTable(times, memory)}

As npm start starts it, without what npm itself takes. after load: ${minutes} minutes of charges, paid, with their webhooks.`,
    bars: [
      { label: 'first start', value: times.firstMs, text: `${(times.firstMs / 1_000).toFixed(1)} s` },
      { label: 'later start', value: times.laterMs, text: `${(times.laterMs / 1_000).toFixed(1)} s` },
    ],
  };
  return { figures: { times, minutes, memory }, report };
}

async function scale(): Promise<Measured> {
  const { cost } = await measureChain(progress);
  progress('Simulating the days');
  const days = cost ? daysNeeds(cost) : [];
  const report = {
    title: 'Cores that a day needs',
    text: `${scaleTable(days)}

${costLine(cost)}
What is assumed of the days: docs/scale.md.`,
    bars: days.map(({ name, cores }) => {
      const all = cores.web + cores.worker + cores.postgres;
      return { label: name, value: all, text: String(all) };
    }),
  };
  return { figures: { cost, days }, report };
}

async function pages(installation: Installation): Promise<void> {
  progress('Measuring: the JavaScript of the pages');
  const javascript = await measureJavascript(installation);
  progress('Measuring: what the pages paint');
  const paint = await measurePaint(installation, progress);
  if (options.json) console.log(JSON.stringify({ javascript, paint }, null, 2));
  else say(javascript, paint);
}

function say(javascript: PageJavascript[], paint: PagePaint[] | null): void {
  console.log(`\n${javascriptTable(javascript)}\n`);
  console.log('JavaScript that the HTML of a page names. What it loads later: e2e/panel/javascript-size.spec.ts.');
  console.log(paint ? `\n${paintTable(paint)}\n` : '\nNo browser here to see the pages painted: set CHROMIUM_PATH.');
  if (paint) console.log('Medians of three loads without a cache, of the CLS the most. The machine has to be quiet.');
}
