import { requeueCallback } from '#db/callbacks/list-callbacks.ts';
import { type AsOperator, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

/**
 * Has a provider's callback processed again by the worker, one that was processed too: it leads to
 * questions to the provider and moves no money itself, so that doing it twice changes nothing.
 * `due`: it is being processed, or will be within half a minute. `unknown`: there is none of this
 * id.
 */
export async function retryCallback(
  deps: Pick<Deps, 'db' | 'clock' | 'wakeWorkers'> & AsOperator,
  id: string,
): Promise<'requeued' | 'due' | 'unknown'> {
  const about = { merchantId: null, accountId: null };
  const audit = operatorEntry(deps, about, 'callback.retried', { subject: id });
  const outcome = await requeueCallback(deps.db.pool, id, deps.clock(), audit);
  if (outcome === 'requeued') deps.wakeWorkers();
  return outcome;
}
