import { insertCallback } from '#db/callbacks/callbacks.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';

/** Stores a provider's callback, whatever it says; a worker finds out what is true of it. */
export async function receiveCallback(
  deps: Pick<Deps, 'db' | 'clock' | 'secretBox' | 'wakeWorkers'>,
  callback: { rail: string; body: string },
): Promise<void> {
  const now = deps.clock();
  const id = uuidv7(now);
  const body = deps.secretBox.seal(callback.body, sealContext('inbound_callbacks.body', { id }));
  await insertCallback(deps.db.pool, { id, rail: callback.rail, body, now });
  deps.wakeWorkers();
}
