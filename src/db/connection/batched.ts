import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { batchCalls } from '#domain/requests/batch-calls.ts';

/** A batch is of no account: it is not counted as its first caller's (account-context.ts). */
const ofNoAccount = AsyncLocalStorage.snapshot();

/**
 * Makes one statement of calls that come together (batchCalls): most of what a short statement
 * costs is its way to the database and back, and its commit. `run` is one statement. It gets the
 * calls' items in an array, and returns their results in the same order.
 */
export function batched<Item, Result>(
  run: (db: pg.Pool, items: readonly Item[]) => Promise<readonly Result[]>,
): (db: pg.Pool, item: Item) => Promise<Result> {
  const callsOf = new WeakMap<pg.Pool, (item: Item) => Promise<Result>>();
  return (db, item) => {
    const call =
      callsOf.get(db) ?? batchCalls<Item, Result>((items) => ofNoAccount(() => run(db, items)), isRolledBack);
    callsOf.set(db, call);
    return call(item);
  };
}

/**
 * The arrays of a batch, for `unnest`: one of each type, from `$1` on. The first is a subquery
 * because the planner does not look into it. It compares the plan for any batch with one for this
 * batch, which costs less as long as it knows that this one is shorter than it assumes, and would
 * plan the statement again for each batch.
 */
export const batchArrays = (...[first, ...others]: [string, ...string[]]): string =>
  `(SELECT $1::${first}[])${others.map((type, at) => `, $${at + 2}::${type}[]`).join('')}`;

/**
 * The first array of a batch, for `= ANY`, as batchArrays() has it. The second cast says that it is
 * an array: a bare subquery would be compared row by row.
 */
export const firstOfBatch = (type: string): string => `(SELECT $1::${type}[])::${type}[]`;

/** Returns the row of each id, or null. */
export function inOrderOf<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): (Row | null)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

/**
 * Whether the server rejected a statement and goes on: then nothing of it was done. A connection
 * that breaks, or that the server ends, says nothing of the kind.
 */
const isRolledBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !CONNECTION_ENDED.test(error.code ?? '');

/** Beginnings of PostgreSQL's SQLSTATEs. */
const CONNECTION_ENDED = /^(08|57P)/;
