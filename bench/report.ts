import { availableParallelism } from 'node:os';
import { CHAIN_WANTED, type ChainRates, type ChargeCost, DELIVERIES_WANTED, type DeliveryRates } from './chain.ts';
import type { ChainResult } from './chain-load.ts';
import { GROWTH_MS_FLOOR, GROWTH_MS_WANTED, GROWTH_RATIO_WANTED, type Growth } from './growth.ts';
import type { PageJavascript } from './javascript.ts';
import type { LedgerRate } from './ledger-rates.ts';
import type { Comparison, Side } from './measure.ts';
import { PAINT_MS_WANTED, type PagePaint, SHIFT_WANTED } from './page-paint.ts';
import type { PanelTimes } from './panel-times.ts';
import { PEER_RATIO_WANTED, type PeerRate, type PeerRates } from './peers/measure-peers.ts';
import type { Memory } from './process-times.ts';
import type { DayNeeds } from './scale.ts';
import { SEALING_ROUNDS, type SealingCost } from './sealing-cost.ts';
import type { MemoryOverTime, StartTimes } from './starts.ts';
import type { WebProcessesRate } from './web-processes.ts';

/** The table for people. */
export function table(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ name, service, baseline, ordinary, ratio, ordinaryRatio, wanted }) => [
    name,
    ratio.toFixed(2),
    `${wanted.toFixed(2)} ${ratio >= wanted ? 'met' : `short by ${(wanted - ratio).toFixed(2)}`}`,
    ordinaryRatio.toFixed(2),
    ...[service, baseline, ordinary].flatMap(({ requestsPerSecond, p50Ms, p99Ms, cpuUs }) => [
      requestsPerSecond.toFixed(0),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      cpuUs.toFixed(0),
    ]),
  ]);
  const side = ['req/s', 'p50 ms', 'p99 ms', 'CPU µs'];
  const head = [
    ['', 'ratio to', '', 'ratio to', 'service', '', '', '', 'baseline', '', '', '', 'ordinary', '', '', ''],
    ['operation', 'baseline', 'wanted', 'ordinary', ...side, ...side, ...side],
  ];
  return columns([...head, ...rows]);
}

/** One web process and two, under the same load. */
export function webProcessesTable(rates: readonly WebProcessesRate[]): string {
  const rows = rates.map(({ name, ratio, one, two }) => [
    name,
    ratio.toFixed(2),
    ...[one, two].flatMap(({ requestsPerSecond, p50Ms, p99Ms, cpuUs }) => [
      requestsPerSecond.toFixed(0),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      cpuUs.toFixed(0),
      ((requestsPerSecond * cpuUs) / 1e6).toFixed(2),
    ]),
  ]);
  const side = ['req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'cores'];
  const head = [
    ['', '', 'one', '', '', '', '', 'two', '', '', '', ''],
    ['operation', 'ratio', ...side, ...side],
  ];
  return columns([...head, ...rows]);
}

/** The ledger's statements. */
export function ledgerTable(rates: readonly LedgerRate[]): string {
  const rows = rates.map(
    ({ name, connections, perSecond, tpcBPerSecond, tpcBCallPerSecond, ratio, lastOverFirst, wanted }) => [
      name,
      String(connections),
      ratio.toFixed(2),
      lastOverFirst.toFixed(2),
      ...[perSecond, tpcBPerSecond, tpcBCallPerSecond].map((rate) => rate.toFixed(0)),
      wanted === null
        ? ''
        : `${wanted.toFixed(2)} ${ratio >= wanted ? 'met' : `short by ${(wanted - ratio).toFixed(2)}`}`,
    ],
  );
  return columns([['operation', 'connections', 'ratio', 'flat', 'a second', 'TPC-B', 'one call', 'wanted'], ...rows]);
}

/** The service's withdrawals beside the transfers of other ledgers. */
export function peersTable(rates: readonly PeerRate[]): string {
  const names = rates[0]?.peers.map(({ name }) => name) ?? [];
  const figures = ({ requestsPerSecond, p50Ms, p99Ms }: Side) => [
    requestsPerSecond.toFixed(0),
    ...[p50Ms, p99Ms].map((ms) => ms.toFixed(1)),
  ];
  const rows = rates.map(({ name, service, lastOverFirst, peers }) => {
    const worst = Math.min(...peers.map(({ ratio }) => ratio));
    return [
      name,
      ...peers.map(({ ratio }) => ratio.toFixed(2)),
      lastOverFirst.toFixed(2),
      ...figures(service),
      ...peers.flatMap(({ side }) => figures(side)),
      `${PEER_RATIO_WANTED.toFixed(2)} ${worst > PEER_RATIO_WANTED ? 'met' : 'missed'}`,
    ];
  });
  const side = ['a second', 'p50 ms', 'p99 ms'];
  const head = [
    ['', ...names.map(() => 'over'), '', 'service', '', '', ...names.flatMap((name) => [name, '', '']), ''],
    ['accounts', ...names, 'flat', ...side, ...names.flatMap(() => side), 'wanted'],
  ];
  return columns([...head, ...rows]);
}

/** What was measured beside the service, and what was not. */
export const peersText = ({ built, leftOut }: PeerRates): string =>
  [
    `The service requests a PIX withdrawal; a peer moves money from an account to one that holds it. Built: ${built.map(({ name, version }) => `${name} ${version}`).join(', ')}.`,
    ...leftOut.map(({ name, reason }) => `Left out: ${name}, because ${reason}`),
  ].join('\n');

/** How much of the time of settling the sealer of the ledger proof takes. */
export function sealingText(cost: SealingCost): string {
  const [without, beside] = [cost.without.toFixed(0), cost.with.toFixed(0)];
  const change = ((cost.ratio - 1) * 100).toFixed(1);
  const share = (cost.sealedShare * 100).toFixed(0);
  return `Charges settled a second with the ledger's sealer beside: ${beside}, without: ${without}; ${change} %, median of ${SEALING_ROUNDS} rounds in turns. ${share} % of them were sealed by then.`;
}

/** How long calls take in accounts of several sizes. */
export function growthTable(growths: readonly Growth[]): string {
  const head = ['call', 'ratio', ...growths.map(({ transactions }) => transactions.toLocaleString('en')), 'wanted'];
  const rows = (growths[0]?.calls ?? []).map(({ name }, at) => {
    const times = growths.map(({ calls }) => calls[at]?.ms ?? Number.NaN);
    const largest = times.at(-1) ?? Number.NaN;
    const ratio = largest / (times[0] ?? Number.NaN);
    const isMet = largest <= GROWTH_MS_WANTED && (ratio <= GROWTH_RATIO_WANTED || largest <= GROWTH_MS_FLOOR);
    return [name, ratio.toFixed(1), ...times.map((ms) => ms.toFixed(1)), isMet ? 'met' : 'missed'];
  });
  const checkRow = (name: string, times: readonly number[]) => {
    const ratio = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN);
    return [name, ratio.toFixed(1), ...times.map((ms) => ms.toFixed(0)), ''];
  };
  const full = growths.map(({ ledgerCheckMs }) => ledgerCheckMs);
  const ofDay = growths.map(({ ledgerCheckOfDayMs }) => ledgerCheckOfDayMs);
  return columns([
    head,
    ...rows,
    checkRow('the ledger check, full', full),
    checkRow('the ledger check, of a day', ofDay),
  ]);
}

/** From a charge to its webhook. */
export function chainTable({ paced, full }: ChainRates): string {
  const { perSecond, webhookP50Ms, webhookP99Ms } = CHAIN_WANTED;
  const row = (name: string, result: ChainResult, wanted: string) => [
    name,
    ...[result.created, result.delivered].map((rate) => rate.toFixed(0)),
    ...[result.webhookP50Ms, result.webhookP99Ms, result.createP50Ms, result.createP99Ms].map((ms) => ms.toFixed(1)),
    ...[result.waitingMax, result.missing].map(String),
    Object.entries(result.failures)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', ') || '0',
    wanted,
  ];
  return columns([
    [
      '',
      'created',
      'webhooks',
      'webhook p50',
      'p99 ms',
      'create p50',
      'p99 ms',
      'waiting',
      'missing',
      'failures',
      'wanted',
    ],
    row('at a pace', paced, `p50 ${webhookP50Ms}, p99 ${webhookP99Ms} ms`),
    row('full speed', full, `${perSecond} webhooks a second`),
  ]);
}

/** Webhooks of many merchants behind one origin. */
export function deliveriesTable({ answering, oneHangs }: DeliveryRates): string {
  const row = (name: string, { delivered, webhookP50Ms, webhookP99Ms, waitingMax, missing }: ChainResult) => [
    name,
    delivered.toFixed(0),
    webhookP50Ms.toFixed(1),
    webhookP99Ms.toFixed(1),
    String(waitingMax),
    String(missing),
  ];
  const { p99Ms } = DELIVERIES_WANTED;
  const isMet = oneHangs.webhookP99Ms < p99Ms && oneHangs.missing === 0;
  return columns([
    ['', 'webhooks', 'p50 ms', 'p99 ms', 'waiting', 'missing', 'wanted'],
    [...row('all answer', answering), ''],
    [...row('one hangs', oneHangs), `p99 below ${p99Ms} ms ${isMet ? 'met' : 'missed'}`],
  ]);
}

/** How long starts take, and the memory of what has started. */
export function startTable({ firstMs, laterMs }: StartTimes, { atRest, afterLoad }: MemoryOverTime): string {
  const megabytes = (memory: Memory | null) => {
    if (!memory) return ['', '', '', '', 'not known here'];
    const { web, worker, sandbox, postgres } = memory;
    return [web, worker, sandbox, postgres, web + worker + sandbox + postgres].map((bytes) => (bytes / 1e6).toFixed(0));
  };
  return `${columns([
    ['', 'seconds'],
    ['first start', (firstMs / 1_000).toFixed(1)],
    ['later start', (laterMs / 1_000).toFixed(1)],
  ])}

${columns([
  ['memory, MB', 'web', 'worker', 'sandbox', 'postgres', 'all'],
  ['at rest', ...megabytes(atRest)],
  ['after load', ...megabytes(afterLoad)],
])}`;
}

/** What a paid charge costs the machine, and what of it is the service's own. */
export function costLine(cost: ChargeCost | null): string {
  if (!cost) return 'What a charge costs is read from /proc, which is not here.';
  const { web, worker, postgres } = cost.cpuMs;
  const own = web + worker + postgres;
  const cores = availableParallelism();
  const cpu = Object.entries(cost.cpuMs).map(([part, ms]) => `${part} ${ms.toFixed(2)} ms`);
  const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
  return `A paid charge costs: processor time ${cpu.join(', ')}; ${kilobytes(cost.walBytes)} of log, ${kilobytes(cost.diskBytes)} of files.
Web, worker and PostgreSQL take ${own.toFixed(2)} ms of it: by that, ${cores} cores without the sandbox and the clients would do ${((cores * 1_000) / own).toFixed(0)} a second.`;
}

/** What days of different sizes need. */
export function scaleTable(days: readonly DayNeeds[]): string {
  const rows = days.map(({ name, payments, cores, ...day }) => [
    name,
    payments.toLocaleString('en'),
    day.averagePerSecond.toFixed(day.averagePerSecond < 10 ? 1 : 0),
    day.peakPerSecond.toFixed(day.peakPerSecond < 10 ? 1 : 0),
    ...[cores.web, cores.worker, cores.postgres].map(String),
    day.waitP99Ms.toFixed(0),
    (day.diskBytesADay / 1e9).toFixed(1),
    (day.walBytesPerSecond / 1e6).toFixed(1),
  ]);
  const head = [
    ['', 'payments', 'a second', '', 'cores', '', '', 'wait', 'files', 'log'],
    ['', 'a day', 'average', 'peak', 'web', 'worker', 'postgres', 'p99 ms', 'GB a day', 'MB/s, peak'],
  ];
  return columns([...head, ...rows]);
}

/** The panel's procedures. */
export function panelTable(times: readonly PanelTimes[]): string {
  const rows = times.map(({ name, service, baseline, wantedMs }) => [
    name,
    ...[service, baseline].flatMap(({ p50Ms, p95Ms }) => [p50Ms.toFixed(1), p95Ms.toFixed(1)]),
    `${wantedMs} ms ${service.p50Ms <= wantedMs ? 'met' : `short by ${(service.p50Ms - wantedMs).toFixed(1)}`}`,
  ]);
  const head = [
    ['', 'service', '', 'baseline', '', ''],
    ['procedure', 'p50 ms', 'p95 ms', 'p50 ms', 'p95 ms', 'wanted'],
  ];
  return columns([...head, ...rows]);
}

/** The JavaScript that the pages load. */
export function javascriptTable(pages: readonly PageJavascript[]): string {
  const rows = pages.map(({ page, bytes, wanted }) => [
    page,
    (bytes / 1000).toFixed(1),
    `${wanted / 1000} kB ${bytes <= wanted ? 'met' : `short by ${((bytes - wanted) / 1000).toFixed(1)}`}`,
  ]);
  return columns([['page', 'kB (gzip)', 'wanted'], ...rows]);
}

/** How the panel's pages are painted. */
export function paintTable(pages: readonly PagePaint[]): string {
  const rows = pages.map(({ page, lcpMs, shift, firstByteMs, requests, prefetches, what }) => [
    page,
    lcpMs.toFixed(0),
    shift.toFixed(4),
    firstByteMs.toFixed(0),
    String(requests),
    String(prefetches),
    what,
    `${PAINT_MS_WANTED} ms, ${SHIFT_WANTED} ${lcpMs <= PAINT_MS_WANTED && shift < SHIFT_WANTED ? 'met' : 'missed'}`,
  ]);
  return columns([['page', 'LCP ms', 'CLS', 'first byte ms', 'requests', 'prefetches', 'largest', 'wanted'], ...rows]);
}

/** Aligns cells: the first and the last column to the left, numbers to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const last = (rows[0]?.length ?? 0) - 1;
  const widths = Array.from({ length: last + 1 }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return column === 0 || column === last ? cell.padEnd(width) : cell.padStart(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
