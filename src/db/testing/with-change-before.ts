import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';

/**
 * The pool, with a `change` by somebody else just before each statement whose text or name has
 * `late` in it: such a statement also waits for those that were begun beside it.
 */
export function withChangeBefore(pool: pg.Pool, late: string, change: () => Promise<unknown>): pg.Pool {
  const others: Promise<unknown>[] = [];
  const query = async (statement: string | pg.QueryConfig, values?: unknown[]) => {
    const { text, name = '' } = typeof statement === 'string' ? { text: statement } : statement;
    const isLate = text.includes(late) || name.includes(late);
    if (isLate) {
      await setImmediate();
      await Promise.all(others);
      await change();
    }
    const answer = pool.query(statement as string, values);
    if (!isLate) others.push(answer);
    return answer;
  };
  return { query } as unknown as pg.Pool;
}
