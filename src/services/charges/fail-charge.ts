import { findCharge } from '#db/charges/charges.ts';
import { closeCharge } from '#db/ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { chargeEvent } from './charge-event.ts';

/**
 * Closes a pending charge that the PSP did not create as `failed`; a charge that is not pending any
 * more stays as it is.
 */
export async function failCharge(deps: Deps, id: string): Promise<void> {
  const charge = await findCharge(deps.db.pool, id);
  if (charge?.status !== 'pending') return;
  const now = deps.clock();
  const event = chargeEvent(deps, charge, { status: 'failed', now });
  await closeCharge(deps.db.pool, { id, from: 'pending', to: 'failed', now, ...event });
  deps.wakeWorkers();
}
