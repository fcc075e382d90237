import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStart } from './running-process.ts';

export type Purpose = 'service' | 'command' | 'test';

/**
 * The one process that may start, stop and replace the server of a data folder. `port` is set once
 * the server answers.
 */
export type Owner = { pid: number; startedAt: string; purpose: Purpose; port?: number };

export type Ownership = { announce(port: number): void; release(): void };

/**
 * Becomes the owner of the data folder, or returns the living process that owns it.
 *
 * Owners are numbered files, `postgres-owner.7.json`; the highest number counts. A process that
 * follows a dead owner 7 creates number 8, which succeeds for exactly one process. The highest file
 * is never removed: a process that read the numbers long ago and creates one that is free again
 * sees afterwards that there is a higher one. If a dead owner had one file with a fixed name
 * instead, a process could remove the file of a living owner that was created between the check and
 * the removal.
 */
export function claimOwnership(home: string, purpose: Purpose): Ownership | Owner {
  const me: Owner = { pid: process.pid, startedAt: processStart(process.pid) ?? '', purpose };
  for (;;) {
    const last = Math.max(0, ...numbers(home));
    const other = readOwner(home, last);
    if (other && isAlive(other)) return other;
    const mine = last + 1;
    if (!create(home, mine, me)) continue;
    if (Math.max(...numbers(home)) === mine) {
      for (const number of numbers(home)) if (number < mine) rmSync(ownerFile(home, number), { force: true });
      return ownership(home, mine, me);
    }
    rmSync(ownerFile(home, mine), { force: true });
  }
}

/**
 * Whether the owner of the data folder was killed, so that its server may still run. Meant for data
 * folders that no one starts again.
 */
export function isAbandoned(home: string): boolean {
  const owner = readOwner(home, Math.max(0, ...numbers(home)));
  return owner !== undefined && owner.pid !== NO_OWNER.pid && !isAlive(owner);
}

/** The content that replaces an owner that has left; no process has this number. */
const NO_OWNER = { pid: 0, startedAt: '' };

const isAlive = (owner: Owner) => processStart(owner.pid) === owner.startedAt;

function ownership(home: string, number: number, me: Owner): Ownership {
  const replace = (content: object) => renameSync(writeDraft(home, content), ownerFile(home, number));
  return {
    announce: (port) => replace({ ...me, port }),
    release: () => replace({ ...me, ...NO_OWNER }),
  };
}

const ownerFile = (home: string, number: number) => join(home, `postgres-owner.${number}.json`);

function numbers(home: string): number[] {
  return readdirSync(home).flatMap((name) => {
    const number = /^postgres-owner\.(\d+)\.json$/.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

/**
 * Returns false when the number is taken. A hard link makes the file appear with its content, so it
 * is never read half-written.
 */
function create(home: string, number: number, owner: Owner): boolean {
  const draft = writeDraft(home, owner);
  try {
    linkSync(draft, ownerFile(home, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(home: string, content: object): string {
  const draft = join(home, `postgres-owner.${randomUUID()}`);
  try {
    writeFileSync(draft, JSON.stringify(content));
  } catch (error) {
    // On a full disk: nobody would look for a file of this name again.
    rmSync(draft, { force: true });
    throw error;
  }
  return draft;
}

/** Undefined when there is no such file, or when a crash of the machine left it empty. */
function readOwner(home: string, number: number): Owner | undefined {
  try {
    return JSON.parse(readFileSync(ownerFile(home, number), 'utf8'));
  } catch {
    return undefined;
  }
}
