import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second, in which Linux counts a process's time. */
const TICKS_PER_SECOND = 100;

/** The parts of an installation: the roles, and their database. */
export type Part = 'web' | 'worker' | 'sandbox' | 'postgres';
export type CpuSeconds = Record<Part, number>;

/** The memory of each part in bytes; pages that several processes share are divided among them. */
export type Memory = Record<Part, number>;

type ProcessLine = { pid: number; parent: number; command: string; seconds: number };

/**
 * Returns the processor time, in user mode and in the kernel, of a service that `npm start`
 * started, by its parts; `pid` is the web process. Null where there is no /proc to read it from.
 */
export const cpuSeconds = (pid: number): CpuSeconds | null => sumOf(pid, ({ seconds }) => seconds);

/** Returns the processor time of one process. Null where it has ended, or /proc is absent. */
export const processSeconds = (pid: number): number | null => readProcess(pid)?.seconds ?? null;

/** Returns the memory of the same processes. Null where there is no /proc to read it from. */
export const memoryBytes = (pid: number): Memory | null => sumOf(pid, (one) => proportionalBytes(one.pid));

function sumOf(pid: number, amountOf: (one: ProcessLine) => number): Record<Part, number> | null {
  const processes = readProcesses();
  if (!processes) return null;
  const beneath = new Map<number, ProcessLine[]>();
  for (const one of processes) beneath.set(one.parent, [...(beneath.get(one.parent) ?? []), one]);
  const sum: Record<Part, number> = { web: 0, worker: 0, sandbox: 0, postgres: 0 };
  const add = (one: ProcessLine) => {
    sum[one.pid === pid ? 'web' : partOf(one.command)] += amountOf(one);
    for (const child of beneath.get(one.pid) ?? []) add(child);
  };
  for (const one of processes) if (one.pid === pid) add(one);
  return sum;
}

function proportionalBytes(pid: number): number {
  try {
    const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function partOf(command: string): Part {
  if (command.startsWith('trilho worker')) return 'worker';
  if (command.startsWith('trilho sandbox')) return 'sandbox';
  return command.includes('postgres') ? 'postgres' : 'web';
}

function readProcesses(): ProcessLine[] | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readProcess(Number(name)) ?? []);
  } catch {
    return null;
  }
}

/** Null: the process has ended meanwhile. */
function readProcess(pid: number): ProcessLine | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may have spaces and brackets: state, parent, and further on the times
    // in user mode and in the kernel.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, parent: Number(fields[1]), command, seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}
