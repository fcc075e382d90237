import { mkdirSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Installation } from './installation.ts';
import { load } from './measure.ts';
import type { Operation } from './operations.ts';
import type { ProbeOrder } from './probe.ts';
import { columns } from './report.ts';

const CHECKOUT = join(import.meta.dirname, '..');
/** Ignored by git. The files open in a browser's developer tools. */
const PROFILES_FOLDER = join(CHECKOUT, '.trilho', 'profiles');
const WARM_UP_SECONDS = 4;
const PROFILE_SECONDS = 6;
const FUNCTIONS_SHOWN = 25;
const PARTS_SHOWN = 15;

/** Profiles the service under one operation and reports where its own time went. */
export async function profile(installation: Installation, operation: Operation): Promise<string> {
  mkdirSync(PROFILES_FOLDER, { recursive: true });
  const file = join(PROFILES_FOLDER, `${operation.name.replace(' ', '-')}.cpuprofile`);
  const { service } = installation;
  const order = (message: ProbeOrder) => service.ask(message);

  await load(installation, [service], operation, WARM_UP_SECONDS);
  await order({ probe: 'start profile' });
  const { requestsPerSecond } = await load(installation, [service], operation, PROFILE_SECONDS);
  await order({ probe: 'stop profile', file });

  const { busyUs, functions, parts } = selfTimes(JSON.parse(readFileSync(file, 'utf8')) as Profiler.Profile);
  const share = (us: number) => `${((us / busyUs) * 100).toFixed(1)} %`;
  const rows = (times: Map<string, number>, shown: number) =>
    [...times]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, shown)
      .map(([name, us]) => ['', share(us), name]);
  return [
    `${operation.name}: ${requestsPerSecond.toFixed(0)} req/s under the profiler; ${relative(CHECKOUT, file)}`,
    '  self time by part:',
    columns(rows(parts, PARTS_SHOWN)),
    '  self time by function:',
    columns(rows(functions, FUNCTIONS_SHOWN)),
  ].join('\n');
}

/**
 * Sums the time between samples by the function that was on top of the stack, and by its part of
 * the program, without idle time.
 */
function selfTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const parts = new Map<string, number>();
  let busyUs = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    // A sample counts for the time until the next one.
    const us = timeDeltas[index + 1] ?? 0;
    if (!frame || frame.functionName === '(idle)') continue;
    busyUs += us;
    const place = placeOf(frame.url);
    const name = `${frame.functionName || '(anonymous)'}  ${place && `${place}:${frame.lineNumber + 1}`}`.trimEnd();
    functions.set(name, (functions.get(name) ?? 0) + us);
    const part = partOf(place, frame.functionName);
    parts.set(part, (parts.get(part) ?? 0) + us);
  }
  return { busyUs, functions, parts };
}

function placeOf(url: string): string {
  return url.startsWith('file:') ? relative(CHECKOUT, fileURLToPath(url)) : relative(CHECKOUT, url || CHECKOUT);
}

/**
 * The part of a function: a package as `pg` or `zod`, a folder as `src/server`, `node`, `native
 * code`, or V8's own `(garbage collector)` and `(program)`.
 */
function partOf(place: string, functionName: string): string {
  if (place === '') return functionName.startsWith('(') ? functionName : 'native code';
  if (place.includes('node:')) return 'node';
  const [, inPackage] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(place) ?? [];
  return inPackage ?? place.split('/').slice(0, 2).join('/');
}
