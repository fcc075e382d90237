import type { Database } from '#db/connection/database.ts';
import { TASKS_CHANNEL } from '#db/connection/listener.ts';

/**
 * NOTIFY takes a database-wide lock at commit: it is sent outside transactions, and not more often
 * than this.
 */
const NOTIFY_EVERY_MS = 20;

/**
 * Returns the function that wakes every worker: at once, then at most every 20 ms. A lost wake
 * costs a second, nothing else.
 */
export function createWaker(db: Database): () => void {
  let waiting: NodeJS.Timeout | undefined;
  let again = false;
  const send = () => {
    again = false;
    db.pool.query(`NOTIFY ${TASKS_CHANNEL}`).catch(() => {});
    waiting = setTimeout(() => {
      waiting = undefined;
      if (again) send();
    }, NOTIFY_EVERY_MS);
  };
  return () => {
    if (waiting) again = true;
    else send();
  };
}
