import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 25;

/**
 * Returns when a process started, in an unspecified unit of the operating system: only for checking
 * whether a process id still belongs to the same process. Undefined when there is no such process.
 * A zombie counts as gone: in a container whose first process reaps no children, a killed process
 * stays one for ever.
 */
export function processStart(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // proc(5): the name in brackets may hold spaces and brackets, so count from the last bracket:
      // state is field 3, the start time 22.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
    }
    const [state = '', ...start] = output('ps', ['-o', 'stat=,lstart=', '-p', String(pid)])
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}

/**
 * Returns the working folder of a process, as a path for `stat`. Undefined when there is no such
 * process, or it is another user's.
 */
export function processFolder(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return realpathSync(`/proc/${pid}/cwd`);
    return output('lsof', ['-a', '-d', 'cwd', '-p', String(pid), '-F', 'n']).match(/^n(.*)$/m)?.[1];
  } catch {
    return undefined;
  }
}

/** Returns the ids of the processes that run a program of this name, of every user. */
export function processesNamed(name: string): number[] {
  try {
    if (process.platform !== 'linux') return output('pgrep', ['-x', name]).trim().split('\n').map(Number);
    return readdirSync('/proc').flatMap((entry) =>
      /^\d+$/.test(entry) && programOf(entry) === name ? [Number(entry)] : [],
    );
  } catch {
    return [];
  }
}

/** Undefined when the process has ended in the meantime. */
function programOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Waits until the process is gone; returns false when it is still there after `timeoutMs`. */
export async function processGone(pid: number, timeoutMs: number): Promise<boolean> {
  for (let waitedMs = 0; processStart(pid) !== undefined; waitedMs += POLL_MS) {
    if (waitedMs >= timeoutMs) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function output(command: string, args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
