import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import { drainDueTasks } from '#jobs/worker.ts';
import type { Deps } from '#services/deps.ts';
import type { PspUnderTest } from '../psp-under-test.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Payouts, refunds and callbacks are settled within this many rounds. */
const LOOKS_MAX = 60;

/** Sets switches of the sandbox, by name. */
export async function setSwitches(psp: PspUnderTest, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await psp.setSwitch(name, value);
}

/**
 * Runs a worker that dies after so many statements and leaves what it had begun. Returns whether it
 * died.
 */
export async function workUntilDead(psp: PspUnderTest, statements: number): Promise<boolean> {
  await psp.drain();
  const { deps } = psp.service();
  let left = statements;
  const spend = () => {
    if (left-- <= 0) throw new Error('The worker is dead.');
  };
  const pool = new Proxy(deps.db.pool, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function') return value;
      if (name !== 'query' && name !== 'connect') return value.bind(target);
      return async (...args: unknown[]) => {
        spend();
        return value.apply(target, args);
      };
    },
  });
  const dying: Deps = { ...deps, db: { ...deps.db, pool } };
  return drainDueTasks(dying, TASK_HANDLERS).then(
    () => false,
    () => true,
  );
}

const UNDERWAY = `SELECT (SELECT count(*) FROM transactions WHERE type IN ('pix_out', 'crypto_out') AND status IN ('pending', 'processing')
      AND sub_status IS NULL)
  + (SELECT count(*) FROM refunds WHERE status = 'pending')
  + (SELECT count(*) FROM payment_returns WHERE status = 'pending')
  + (SELECT count(*) FROM inbound_callbacks WHERE processed_at IS NULL) AS count`;

/**
 * Lets every call be answered again, and time pass until nothing is in progress, also of what waits
 * for its date or for an approval that never comes, and all sweeps have run.
 */
export async function settle(psp: PspUnderTest): Promise<void> {
  psp.lose([]);
  await setSwitches(psp, { 'pix.query': 'ok', 'pix.refund': 'done', 'pix.psp_acts': 'none' });
  await setSwitches(psp, { 'crypto.processor_acts': 'none', 'crypto.payout': 'done' });
  await end(psp);
  // The sweep of the night, and that of the week.
  for (const days of [1, 8]) {
    psp.advance(days * DAY_MS);
    await psp.work();
    await end(psp);
  }
}

async function end(psp: PspUnderTest): Promise<void> {
  for (let look = 0; ; look++) {
    psp.advance(look < LOOKS_MAX / 2 ? 20_000 : 11 * MINUTE_MS);
    await psp.work();
    const { rows } = await psp.pool.query<{ count: string }>(UNDERWAY);
    if (Number(rows[0]?.count) === 0) break;
    if (look === LOOKS_MAX) throw new Error(`${rows[0]?.count} do not come to an end.`);
  }
}
