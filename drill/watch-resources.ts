import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SERVICE_ROLE } from '#postgres/embedded-postgres-roles.ts';
import type { Sample } from './growth-of.ts';
import type { Installation, ServiceProcess } from './installation.ts';
import type { TableSample } from './judge-tables.ts';

const EVERY_MS = 5_000;
/** Each time every process collects its garbage, which takes it some 100 ms. */
const MEMORY_EVERY_MS = 20_000;
/** Longer than any work between two statements of a transaction takes. */
const IDLE_MAX_SECONDS = 5;

/** The memory of a process without its garbage, from its start to its end. */
export type ProcessMemory = { name: string; samples: Sample[] };

export type Resources = {
  /** The processes that ran at the end. */
  living: ProcessMemory[];
  tables: TableSample[];
  /** Transactions of the service that were idle for too long, by what they last did. */
  idle: string[];
};

const TABLES = `SELECT s.relname AS name, n_tup_upd + n_tup_del AS changed, n_live_tup AS live, n_dead_tup AS dead,
    autovacuum_count AS vacuums, pg_relation_size(s.relid) AS bytes,
    current_setting('autovacuum_vacuum_threshold')::int
      + current_setting('autovacuum_vacuum_scale_factor')::float8 * greatest(c.reltuples, 0) AS "vacuumedFrom"
  FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid`;
const IDLE = `SELECT pid, query FROM pg_stat_activity
  WHERE usename = $1 AND state LIKE 'idle in transaction%' AND now() - state_change > make_interval(secs => $2)`;
const WAITING = `SELECT a.query FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted`;
/** More than a lease and a few tries after which a task's worker counts as gone. */
const OVERDUE = `SELECT kind, count(*)::int AS count FROM tasks WHERE clock_id IS NULL AND due_at < now() - interval '1 minute' GROUP BY kind`;

/**
 * Samples the memory of the service's processes, the tables and the sessions of its database until
 * `end` is called.
 */
export function watchResources({ processes, postgres }: Installation) {
  const pool = new pg.Pool({ connectionString: postgres.ownerUrl, max: 1, types: { getTypeParser } as never });
  pool.on('error', () => {});
  const memories = new Map<number, ProcessMemory>();
  const tables: TableSample[] = [];
  const idle = new Map<number, string>();
  const stopping = new AbortController();

  let memoryAtMs = Number.NEGATIVE_INFINITY;

  async function sampleMemory({ name, pid, residentBytes }: ServiceProcess, atMs: number): Promise<void> {
    const askedPid = pid();
    const value = await residentBytes();
    // One that was started again meanwhile is another process.
    if (value === null || pid() !== askedPid) return;
    const memory = memories.get(askedPid) ?? { name, samples: [] };
    memories.set(askedPid, memory);
    memory.samples.push({ atMs, value });
  }

  async function sample(): Promise<void> {
    const atMs = performance.now();
    if (atMs - memoryAtMs >= MEMORY_EVERY_MS) {
      memoryAtMs = atMs;
      await Promise.all(processes.map((process) => sampleMemory(process, atMs)));
    }
    const { rows } = await pool.query<Omit<TableSample, 'atMs'>>(TABLES);
    tables.push(...rows.map((row) => ({ ...row, atMs })));
    const found = await pool.query<{ pid: number; query: string }>(IDLE, [SERVICE_ROLE, IDLE_MAX_SECONDS]);
    for (const { pid, query } of found.rows) idle.set(pid, query);
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      // The database may be in trouble: the next sample has it.
      await sample().catch(() => {});
      await sleep(EVERY_MS, null, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    async end(): Promise<Resources> {
      stopping.abort();
      await running;
      await sample();
      const living = processes.flatMap(({ pid }) => memories.get(pid()) ?? []);
      return { living, tables, idle: [...idle.values()] };
    },
    /** What of the load is left in the database: locks that are waited for, and overdue tasks. */
    async left(): Promise<string[]> {
      const waiting = await pool.query<{ query: string }>(WAITING);
      const overdue = await pool.query<{ kind: string; count: number }>(OVERDUE);
      return [
        ...waiting.rows.map(({ query }) => `a lock is waited for by: ${query}`),
        ...overdue.rows.map(({ kind, count }) => `${count} tasks ${kind} are overdue by more than a minute`),
      ];
    },
    async close(): Promise<void> {
      stopping.abort();
      await running;
      await pool.end();
    },
  };
}

/** Counts and sizes are far below 2^53. */
const getTypeParser = (oid: number, format?: 'text') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);
