import type { ChargeRow } from '#db/charges.ts';
import { eventBody, externalIdOf, type TransactionFacts } from '#domain/events.ts';
import { type ChargeStatus, mayBecome } from '#domain/transaction-states.ts';
import { uuidv7 } from '#domain/uuid.ts';

/**
 * The event of a charge's change to `status`: its id and the exact bytes every delivery of it will carry. Throws for a change
 * that the table of states does not allow: that is a fault of ours, and nothing is written then.
 */
export function chargeEvent(
  charge: ChargeRow,
  change: { status: ChargeStatus; endToEndId?: string; paidAt?: Date; now: Date },
): { eventId: string; eventBody: string } {
  if (change.status !== charge.status && !mayBecome(charge.status, change.status)) {
    throw new Error(`A charge that is ${charge.status} can't become ${change.status}.`);
  }
  const endToEndId = change.endToEndId ?? charge.endToEndId;
  const facts: TransactionFacts = {
    ...charge,
    type: 'pix_in',
    status: change.status,
    externalId: externalIdOf({ id: charge.id, endToEndId }),
    paidAt: change.paidAt ?? charge.paidAt,
  };
  const eventId = uuidv7(change.now);
  return {
    eventId,
    eventBody: eventBody({
      eventId,
      now: change.now,
      livemode: charge.livemode,
      facts,
      previousStatus: charge.status,
    }),
  };
}
