import type pg from 'pg';
import { countLockWaits } from './count-lock-waits.ts';

/** Against a test that hangs: on a busy machine a session is slow to wait. */
const LOCK_WAIT_MS_MAX = 60_000;
const LOOK_EVERY_MS = 10;

/**
 * The outcome of what is asked while another session's `change` has not committed. It commits once
 * the question waits for one of its locks, or was answered without waiting.
 */
export async function askDuring<Outcome>(
  db: pg.Pool,
  change: (session: pg.Pool) => Promise<unknown>,
  ask: () => Promise<Outcome>,
): Promise<Outcome> {
  const session = await db.connect();
  try {
    await session.query('BEGIN');
    // Our functions of one statement need nothing of their pool but a query.
    await change(session as unknown as pg.Pool);
    let answered = false;
    const asked = ask().finally(() => {
      answered = true;
    });
    await lockWait(db, () => answered);
    await session.query('COMMIT');
    return await asked;
  } finally {
    // Closed, so that nothing stays locked where something failed.
    session.release(true);
  }
}

/** Waits until a session of this database waits for another's lock, or `isAnswered`. */
async function lockWait(db: pg.Pool, isAnswered: () => boolean): Promise<void> {
  for (const deadline = performance.now() + LOCK_WAIT_MS_MAX; performance.now() < deadline; ) {
    if (isAnswered() || (await countLockWaits(db)) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error('No session waits for a lock.');
}
