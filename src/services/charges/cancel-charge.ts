import { insertAudit } from '#db/audit/audit.ts';
import { findCharge } from '#db/charges/charges.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import type { Acting } from '../api-keys/principal.ts';
import { actorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { findOwnCharge } from './find-own-charge.ts';
import { settleCharge } from './settle-charge.ts';

/** Longer than the PSP may still be creating a charge. */
const ATTEMPT_MS = 60_000;

/**
 * Cancels a pending charge: first at the PSP, so that it can't be paid any more, then here. A
 * charge that was paid at the same moment is credited instead. Cancelling twice changes nothing.
 * Who cancels it is recorded in the commit that closes it; where a worker closes it, beside that.
 * Errors: transaction_not_found, not_cancellable (paid, expired, or no PIX charge),
 * charge_not_cancelled (the PSP did not confirm it, or could not say afterwards how the charge
 * stands: the same call again finds out).
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
  const age = deps.clock().getTime() - charge.createdAt.getTime();
  // An attempt to create it has died before it reached the PSP: nobody has a code to pay.
  const neverCreated = answer.value === null && charge.brCode === null && age > ATTEMPT_MS;
  const settled = await settleCharge(deps, id, { audit, neverCreated }).catch(async (error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error;
    // It is cancelled at the PSP, so a worker closes it: only this call knows who asked for it.
    if (audit) await insertAudit(deps.db, audit);
    throw new DomainError('charge_not_cancelled', { cause: error });
  });
  const after = await findCharge(deps.db.pool, id);
  if (after?.status !== 'cancelled') throw new DomainError('not_cancellable');
  if (settled !== 'cancelled' && audit) await insertAudit(deps.db, audit);
  return { id };
}
