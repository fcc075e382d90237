import { insertCallback } from '#db/callbacks.ts';
import { uuidv7 } from '#domain/uuid.ts';
import type { Deps } from './deps.ts';

/** Keeps a provider's callback, whatever it says; the worker finds out what is true of it. */
export async function receiveCallback(deps: Deps, callback: { rail: string; body: string }): Promise<void> {
  const now = deps.clock();
  await insertCallback(deps.db.pool, { id: uuidv7(now), ...callback, now });
  deps.wakeWorkers();
}
