import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '#domain/values/seeded-random.ts';
import { type BookComparison, compareBooks } from './compare-books.ts';
import { type Installation, type InstallationOptions, withInstallation } from './installation.ts';
import { openJournal } from './journal.ts';
import { type Load, openLoad } from './load.ts';
import { openBooks } from './read-books.ts';
import { reconcileDays } from './reconcile-days.ts';
import { runCommand } from './run-command.ts';

/**
 * A dead worker's tasks come back within 30 s, and a provider's callback that was rejected several
 * times within 30 s more; three times that on a busy machine.
 */
const PATIENCE_MS = 180_000;

/** For the short form, in which the starts of processes take most of the time. */
const ONE_OF_EACH = { webs: 1, workers: 1 };
const BESIDE_EACH_OTHER = { webs: 2, workers: 2 };

/** What a drill works with. */
export type Scene = {
  installation: Installation;
  load: Load;
  /** Numbers in [0, 1) that follow from the seed. */
  random(): number;
  /** Injects a fault, and notes how long it takes until a new charge is paid and credited. */
  inject(name: string, fault: () => Promise<void>): Promise<void>;
  /**
   * Injects a fault that lasts: `begin` returns what ends it. Notes how long it takes from its end
   * until a new charge is paid and credited.
   */
  injectLasting(name: string, lastsMs: number, begin: () => Promise<() => Promise<void> | void>): Promise<void>;
  /** Every id that was acknowledged until now. */
  acknowledged(): string[];
  /** Says that a fault could not be injected on this machine. */
  leaveOut(name: string, why: string): void;
  /** Reports something that should not have happened, and that the books do not show. */
  fail(what: string): void;
  note(line: string): void;
  /** Sets what the drill measured beside its row; it is shown, and written below the table. */
  setFigures(text: string): void;
  /** How many faults: few in the short form, which runs at every change. */
  times(short: number, long: number): number;
  isLong: boolean;
  /** Whether there is time left for another fault. */
  hasTime(): boolean;
  timeLeftMs(): number;
};

export type Drill = {
  name: string;
  installation: Pick<
    InstallationOptions,
    'cluster' | 'proxied' | 'providerProxied' | 'movableClocks' | 'reportsMemory' | 'diskMegabytes' | 'variables'
  >;
  /** Why it can't run on this machine; null or absent: it can. */
  missing?(): string | null;
  /** Its longest time, in minutes, where no other is given and an hour is not right for it. */
  minutes?: number;
  /** Whether a process may end by itself, as long as it is started again. */
  mayCrash?: true;
  /** Processes of each role in the short form, where one of each is not enough. */
  processes?: typeof ONE_OF_EACH;
  /**
   * How long a request may stay undecided, and how long everything may take to settle after the
   * last fault.
   */
  patienceMs?: number;
  run(scene: Scene): Promise<void>;
};

export type DrillResult = {
  drill: string;
  /** Faults by name. */
  faults: Map<string, number>;
  requests: number;
  comparison: BookComparison;
  /**
   * The unexplained difference of the days that it touched: see Reconciliation. NaN: not compared.
   */
  difference: number;
  recoveriesMs: number[];
  /** From the end of the load until nothing was on its way any more. */
  settledMs: number;
  /** Faults that this machine does not allow, with the reason. */
  leftOut: string[];
  /** What it measured beside its row; null: nothing. */
  figures: string | null;
  /** Why it failed; empty: everything held. */
  broken: string[];
};

export type DrillOptions = {
  isLong: boolean;
  seed: number;
  /** No further fault is injected after so long; what was begun is finished and checked. */
  minutesMax: number;
  onNote(line: string): void;
};

/**
 * Runs one drill to its end: load, faults, recovery; then every id that was acknowledged is looked
 * up, the ledger is checked, the books of the service, of the simulators and of the merchants are
 * compared, and the service reconciles the days that the drill touched.
 */
export async function runDrill(drill: Drill, options: DrillOptions): Promise<DrillResult> {
  const { isLong, seed, minutesMax, onNote } = options;
  const { patienceMs = PATIENCE_MS } = drill;
  const random = seededRandom(seed);
  const processes = isLong ? BESIDE_EACH_OTHER : (drill.processes ?? ONE_OF_EACH);
  const result: DrillResult = {
    drill: drill.name,
    faults: new Map(),
    requests: 0,
    comparison: { acknowledged: 0, present: 0, missing: [], double: [], different: [] },
    difference: Number.NaN,
    recoveriesMs: [],
    settledMs: 0,
    leftOut: [],
    figures: null,
    broken: [],
  };
  const noteRecovery = (name: string, recoveryMs: number) => {
    result.faults.set(name, (result.faults.get(name) ?? 0) + 1);
    result.recoveriesMs.push(recoveryMs);
    onNote(`${name}: ${(recoveryMs / 1000).toFixed(1)} s`);
  };
  try {
    await withInstallation({ ...drill.installation, ...processes, onNote }, async (installation) => {
      const journal = openJournal(join(installation.folder, 'journal.jsonl'));
      const load = await openLoad(installation, { journal, random, name: drill.name.replaceAll(' ', '-'), patienceMs });
      const books = openBooks({
        own: installation.postgres.ownerUrl,
        provider: installation.providerPostgres.ownerUrl,
      });
      const beganAt = new Date();
      const until = performance.now() + minutesMax * 60_000;
      try {
        onNote(`${drill.name}: the installation runs`);
        await drill.run({
          installation,
          load,
          random,
          async inject(name, fault) {
            const at = performance.now();
            // At the same time, so that clients try while the service recovers.
            const credited = load.untilCredited().then(() => performance.now() - at);
            const [recoveryMs] = await Promise.all([credited, fault()]);
            noteRecovery(name, recoveryMs);
          },
          async injectLasting(name, lastsMs, begin) {
            const end = await begin();
            await sleep(lastsMs);
            await end();
            const at = performance.now();
            await load.untilCredited();
            noteRecovery(name, performance.now() - at);
          },
          acknowledged: () => journal.read().flatMap(({ ids }) => ids),
          leaveOut(name, why) {
            result.leftOut.push(`${name}: ${why}`);
            onNote(`${name} is left out: ${why}`);
          },
          fail: (what) => void result.broken.push(what),
          note: onNote,
          setFigures(text) {
            result.figures = text;
            onNote(text);
          },
          times: (short, long) => (isLong ? long : short),
          isLong,
          hasTime: () => performance.now() < until,
          timeLeftMs: () => Math.max(0, until - performance.now()),
        });
        await load.finish();
        onNote(`${drill.name}: the load has ended`);
        const finishedAt = performance.now();
        const left = await books.untilSettled(patienceMs);
        result.settledMs = performance.now() - finishedAt;
        if (left) result.broken.push(`not settled after ${patienceMs / 1000} s: ${left}`);
        onNote(`${drill.name}: settled`);
        const entries = journal.read();
        result.requests = entries.reduce((sum, { requests }) => sum + requests, 0);
        result.comparison = compareBooks(entries, await books.read(installation.receiver.events));
        const [ledger, reconciliation] = await Promise.all([
          checkLedger(installation),
          reconcileDays(installation.postgres.url, beganAt, new Date()),
        ]);
        result.difference = reconciliation.difference;
        result.broken.push(...ledger, ...reconciliation.broken);
        if (!drill.mayCrash) result.broken.push(...installation.crashes);
        if (result.broken.length > 0) for (const line of loggedErrors(installation.folder)) onNote(line);
      } finally {
        await load.close();
        await books.close();
      }
    });
  } catch (error) {
    result.broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  result.broken.push(...judge(result));
  return result;
}

/** Returns why the figures of a drill fail it. A drill in which nothing happened proves nothing. */
export function judge({ faults, comparison }: Pick<DrillResult, 'faults' | 'comparison'>): string[] {
  const { acknowledged, missing, double, different } = comparison;
  return [
    ...(faults.size === 0 ? ['nothing was injected'] : []),
    ...(acknowledged === 0 ? ['no request was acknowledged'] : []),
    ...missing.map((what) => `missing: ${what}`),
    ...double.map((what) => `double: ${what}`),
    ...different.map((what) => `different: ${what}`),
  ];
}

/** `trilho ledger check`, as an operator runs it. */
async function checkLedger(installation: Installation): Promise<string[]> {
  const { code, out, err } = await runCommand(installation, ['ledger', 'check', '--full']);
  return code === 0 ? [] : [`trilho ledger check ended with ${code}: ${(out + err).trim()}`];
}

/** How many errors of each process's log are shown: the folder is removed with the drill. */
const LOGGED_ERRORS_MAX = 10;
/** pino's level 50. */
const ERROR_LINE = /"level":(50|"error")/;

/** The last errors that each process logged. */
function loggedErrors(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => ERROR_LINE.test(line))
        .slice(-LOGGED_ERRORS_MAX)
        .map((line) => `${name}: ${line}`),
    );
}
