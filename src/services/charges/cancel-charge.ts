import { insertAudit } from '#db/audit/audit.ts';
import { findCharge } from '#db/charges/charges.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import type { Acting } from '../api-keys/principal.ts';
import { actorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { findOwnCharge } from './find-own-charge.ts';
import { settleCharge } from './settle-charge.ts';

/**
 * Cancels a pending charge: the PSP ends it first, so that it can't be paid any more, then we note
 * it. A charge that was paid in the same moment is credited instead. Cancelling twice changes
 * nothing. Who cancels it is noted in the commit that closes it; where a worker closed it first,
 * after that. Errors: transaction_not_found, not_cancellable (paid, expired, or no PIX charge),
 * charge_not_cancelled (the PSP does not say).
 */
export async function cancelCharge(deps: Deps, acting: Acting, transactionId: string): Promise<{ id: string }> {
  const charge = await findOwnCharge(deps, acting.accountId, transactionId, 'not_cancellable');
  const { id } = charge;
  if (charge.status === 'cancelled') return { id };
  if (charge.status !== 'pending') throw new DomainError('not_cancellable');

  const rail = await deps.rails.pixNamed(charge.rail);
  const answer = await rail?.cancelCharge(uuidToTxid(id));
  if (answer?.outcome !== 'done') {
    const reason = answer?.reason ?? `no rail named ${charge.rail}`;
    deps.log.warn({ transactionId: id, reason }, 'The PSP did not confirm that a charge is cancelled.');
    throw new DomainError('charge_not_cancelled');
  }
  const audit = actorEntry(deps, acting, 'charge.cancelled', { subject: id });
  const settled = await settleCharge(deps, id, { audit });
  const after = await findCharge(deps.db.pool, id);
  if (after?.status !== 'cancelled') throw new DomainError('not_cancellable');
  if (settled !== 'cancelled' && audit) await insertAudit(deps.db, audit);
  return { id };
}
