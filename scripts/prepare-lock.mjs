import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './is-running.mjs';

const POLL_MS = 200;
/** How often the holder touches its file. */
const HEARTBEAT_MS = 10_000;
/**
 * The holder counts as dead when it has not touched its file for this time, whatever program has
 * its process id by now: longer than an npm whose parent was killed can live.
 */
const DEAD_MS = 300_000;

/**
 * Waits until no other process installs or builds in this checkout, then calls `work` and returns
 * its result. The file names the holder and the program that it runs, which `work` reports: the npm
 * of a killed holder may still write, so it is waited for too.
 */
export async function withPrepareLock(root, onWait, work) {
  const file = join(root, '.trilho', 'prepare.lock');
  mkdirSync(dirname(file), { recursive: true });
  for (let waited = false; !take(file); waited = true) {
    if (!waited) onWait();
    await sleep(POLL_MS);
  }
  const heartbeat = setInterval(() => utimesSync(file, new Date(), new Date()), HEARTBEAT_MS);
  try {
    return await work((pid) => writeFileSync(file, JSON.stringify([process.pid, pid])));
  } finally {
    clearInterval(heartbeat);
    rmSync(file, { force: true });
  }
}

function take(file) {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify([process.pid]));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isDead(file)) remove(file);
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function isDead(file) {
  try {
    const pids = JSON.parse(readFileSync(file, 'utf8'));
    return !pids.some(isRunning) || Date.now() - statSync(file).mtimeMs > DEAD_MS;
  } catch (error) {
    // Half written: its holder is alive. Gone: there is nothing to remove.
    return !(error instanceof SyntaxError) && error.code !== 'ENOENT';
  }
}

/** Moves the file aside and checks it again: another process may have written its own meanwhile. */
function remove(file) {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (!isDead(aside)) linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
