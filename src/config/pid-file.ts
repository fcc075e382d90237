import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where a running service can be reached; written beside the data so that the command line finds
 * it.
 */
export type RunningService = { pid: number; port: number; sandboxUrl: string | undefined };

const fileOf = (home: string) => join(home, 'service.json');

/** Writes where this service is; returns the function that removes the file. */
export function writePidFile(home: string, service: RunningService): () => void {
  writeFileSync(fileOf(home), `${JSON.stringify(service)}\n`);
  return () => rmSync(fileOf(home), { force: true });
}

/**
 * Returns the service that runs with this data folder, or null; a file that a killed service left
 * behind counts as none.
 */
export function readPidFile(home: string): RunningService | null {
  try {
    const service = JSON.parse(readFileSync(fileOf(home), 'utf8')) as RunningService;
    process.kill(service.pid, 0);
    return service;
  } catch {
    return null;
  }
}
