import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStart } from './running-process.ts';

export type Purpose = 'service' | 'command' | 'test';

/** The one process that may start, stop and replace the server of a data folder. `port` is there once the server answers. */
export type Owner = { pid: number; startedAt: string; purpose: Purpose; port?: number };

export type Ownership = { announce(port: number): void; release(): void };

/**
 * Becomes the owner of the data folder, or says who is. The file appears with its content in one step (a hard link), so
 * that of two processes exactly one wins and nobody ever reads half a file.
 */
export function claimOwnership(home: string, purpose: Purpose): Ownership | Owner {
  const file = ownerFile(home);
  const me: Owner = { pid: process.pid, startedAt: processStart(process.pid) ?? '', purpose };
  for (;;) {
    if (writeNew(file, me)) return ownership(file, me);
    const other = readOwner(file);
    if (other && isAlive(other)) return other;
    removeDead(file);
  }
}

/** Whether the owner of the data folder was killed: its server may still run. */
export function isAbandoned(home: string): boolean {
  const owner = readOwner(ownerFile(home));
  return owner !== undefined && !isAlive(owner);
}

const ownerFile = (home: string) => join(home, 'postgres-owner.json');

const isAlive = (owner: Owner) => processStart(owner.pid) === owner.startedAt;

function ownership(file: string, me: Owner): Ownership {
  return {
    announce(port) {
      const draft = writeDraft(file, { ...me, port });
      renameSync(draft, file);
    },
    release() {
      const owner = readOwner(file);
      if (owner?.pid === me.pid && owner.startedAt === me.startedAt) rmSync(file, { force: true });
    },
  };
}

function writeNew(file: string, owner: Owner): boolean {
  const draft = writeDraft(file, owner);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(file: string, owner: Owner): string {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(owner));
  return draft;
}

/**
 * Removes what a dead owner left. Moved aside first and read again: between our look and our hand another process may
 * have removed it and put its own in place, which then goes back.
 */
function removeDead(file: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    const moved = readOwner(aside);
    if (moved && isAlive(moved)) linkSync(aside, file);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Undefined when there is no file, or when a crash of the machine left it empty. */
function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
