import { findCallback, finishCallback } from '#db/callbacks.ts';
import { txidToUuid } from '#domain/uuid.ts';
import type { Deps } from './deps.ts';
import { settleCharge } from './settle-charge.ts';

/**
 * Works a stored callback off: every payment it names leads to a question to the PSP. A callback moves no money itself, so
 * duplicates, forgeries and any order change nothing. Throws ProviderSilent when the PSP can't say.
 */
export async function processCallback(deps: Deps, callbackId: string): Promise<void> {
  const callback = await findCallback(deps.db.pool, callbackId);
  const notices = callback && deps.rails.pixNamed(callback.rail)?.parseCallback(callback.body);
  const outcomes: string[] = [];
  for (const { txid, endToEndId } of notices ?? []) {
    const id = txid && txidToUuid(txid);
    outcomes.push(id ? await settleCharge(deps, id, { endToEndId }) : 'unknown_charge');
  }
  const outcome = outcomes.length > 0 ? outcomes.join(' ') : 'unreadable';
  if (outcome.includes('unknown_charge') || outcome === 'unreadable') {
    deps.log.warn({ callbackId, outcome }, 'A callback names nothing that we know.');
  }
  await finishCallback(deps.db.pool, callbackId, outcome, deps.clock());
}
