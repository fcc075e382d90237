import pg from 'pg';
import { createPool } from './pool.ts';

/** Distinguishes the sandbox's connections from the service's, for PostgreSQL. */
export const SANDBOX_APPLICATION = 'trilho-sandbox';

/**
 * The sandbox's pool. The sandbox plays other companies on the service's own machine, so it uses as
 * little of that as it can:
 *
 * - Its commits do not wait for the disk. When its tables are on the service's server, a crash
 *   loses nothing that the service has seen: what the service committed after it is behind it in
 *   the same write-ahead log, and that commit waited for the disk.
 * - Its statements are prepared. They are few, and none of them is better planned for its values.
 */
export const createSandboxPool = (url: string, max: number): pg.Pool =>
  createPool(url, {
    max,
    applicationName: SANDBOX_APPLICATION,
    settings: ['synchronous_commit=off'],
    Client: PreparingClient,
  });

/** By their text; there are as many as the sandbox's source has. */
const names = new Map<string, string>();

class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: as `pg` has it, with a query or a text.
  override query(query: any, values?: any, callback?: any): any {
    if (typeof query !== 'string' || !Array.isArray(values)) return super.query(query, values, callback);
    const name = names.get(query) ?? `sandbox-${names.size}`;
    names.set(query, name);
    return super.query({ name, text: query, values }, callback);
  }
}
