import type { ChargeRow } from '#db/charges/charges.ts';
import type { ReceivedPayment, ReviewReason } from '#domain/charges/charge-settlement.ts';
import { type ChargeStatus, mayBecome } from '#domain/transactions/transaction-states.ts';
import { toBrl } from '#domain/values/money.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { eventBody, externalIdOf, splitOf, type TransactionFields } from '#domain/webhooks/events.ts';

/**
 * The event of a charge's change to `status`: its id and the exact bytes every delivery of it will
 * carry. `review`: a payment that was not credited; the event is called after it, whatever the
 * charge's status, which a second payment does not change. Throws for a change that the table of
 * states does not allow: that is a fault of ours, and nothing is written then.
 */
export function chargeEvent(
  charge: ChargeRow,
  change: {
    status: ChargeStatus;
    endToEndId?: string;
    paidAt?: Date;
    review?: { reason: ReviewReason; payment: ReceivedPayment };
    now: Date;
  },
): { eventId: string; eventBody: string } {
  if (change.status !== charge.status && !mayBecome(charge.status, change.status)) {
    throw new Error(`A charge that is ${charge.status} can't become ${change.status}.`);
  }
  const endToEndId = change.endToEndId ?? charge.endToEndId;
  const fields: TransactionFields = {
    ...charge,
    type: 'pix_in',
    status: change.status,
    externalId: externalIdOf({ id: charge.id, endToEndId }),
    paidAt: change.paidAt ?? charge.paidAt,
    split: splitOf(charge),
  };
  const { review } = change;
  const eventId = uuidv7(change.now);
  return {
    eventId,
    eventBody: eventBody({
      eventId,
      now: change.now,
      livemode: charge.livemode,
      fields,
      previousStatus: charge.status,
      ...(review && {
        name: 'review',
        details: {
          review_reason: review.reason,
          received_amount: toBrl(review.payment.amountCentavos),
          end_to_end_id: review.payment.endToEndId,
        },
      }),
    }),
  };
}

/**
 * What the account that gets a part of a charge is notified of it once the charge is paid: an id of
 * its own, its amount and when; nothing of the payer, and nothing of the account that charged. Null
 * for a charge without a split.
 */
export function splitEvent(charge: ChargeRow, now: Date): { id: string; eventId: string; eventBody: string } | null {
  const split = splitOf(charge);
  if (!split) return null;
  const id = uuidv7(now);
  const eventId = uuidv7(now);
  const fields: TransactionFields = {
    id,
    type: 'split_in',
    status: 'paid',
    amountCentavos: split.centavos,
    feeCentavos: 0n,
    netCentavos: split.centavos,
    externalId: externalIdOf({ id }),
    createdAt: now,
    paidAt: now,
  };
  const body = eventBody({ eventId, now, livemode: charge.livemode, fields, previousStatus: null });
  return { id, eventId, eventBody: body };
}
