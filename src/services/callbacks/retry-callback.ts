import { requeueCallback } from '#db/callbacks/list-callbacks.ts';
import { type AsOperator, INSTALLATION, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

/**
 * Has a worker process a provider's callback again, also one that was processed: it only leads to
 * questions to the provider, so that doing it twice changes nothing. Returns `due` when it is being
 * processed or will be within half a minute, `unknown` when there is no such callback.
 */
export async function retryCallback(
  deps: Pick<Deps, 'db' | 'clock' | 'wakeWorkers'> & AsOperator,
  id: string,
): Promise<'requeued' | 'due' | 'unknown'> {
  const audit = operatorEntry(deps, INSTALLATION, 'callback.retried', { subject: id });
  const outcome = await requeueCallback(deps.db.pool, id, deps.clock(), audit);
  if (outcome === 'requeued') deps.wakeWorkers();
  return outcome;
}
