import type { ChargeRow } from '#db/charges/charges.ts';
import type { ReceivedPayment, ReviewReason } from '#domain/charges/charge-settlement.ts';
import { type ChargeStatus, mayBecome } from '#domain/transactions/transaction-states.ts';
import { uuidToTxid, uuidv7 } from '#domain/values/uuid.ts';
import { externalIdOf, splitView, type TransactionFields } from '#domain/webhooks/events.ts';
import { eventBody } from '../webhooks/event-body.ts';
import { eventTexts } from '../webhooks/event-texts.ts';
import { type EventDeps, sealEventBody } from '../webhooks/seal-event-body.ts';

/**
 * The event of a charge's change to `status`: its id and, sealed, the exact bytes every delivery of
 * it will carry. `review`: a payment that was not credited; the event is then a review, whatever
 * the charge's status, which a second payment does not change. Throws an Error for a change that
 * the table of states does not allow.
 */
export function chargeEvent(
  deps: EventDeps,
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
  };
  const { review } = change;
  const eventId = uuidv7(change.now);
  const { now } = change;
  const event = { eventId, now, livemode: charge.livemode, fields, previousStatus: charge.status };
  const details = chargeDetails(deps, { ...charge, endToEndId });
  if (review === undefined) {
    const shape = change.status === 'failed' ? 'PixInFailedEvent' : 'PixInEvent';
    return { eventId, eventBody: sealEventBody(deps, eventId, eventBody(shape, { ...event, details })) };
  }
  const { reason, payment } = review;
  const body = eventBody('PixReviewEvent', {
    ...event,
    name: 'review',
    details: {
      ...details,
      review_reason: reason,
      received_amount: payment.amountCentavos,
      end_to_end_id: payment.endToEndId,
    },
  });
  return { eventId, eventBody: sealEventBody(deps, eventId, body) };
}

/** The fields of every event about a charge besides those of the transaction. */
export const chargeDetails = (deps: EventDeps, charge: ChargeRow) => ({
  split: splitView(charge),
  txid: uuidToTxid(charge.id),
  end_to_end_id: charge.endToEndId,
  ...eventTexts(deps, charge),
});

/**
 * The event for the account that receives a part of a charge, once the charge is paid: its own id,
 * its amount and the time; nothing of the payer or of the charging account. Null for a charge
 * without a split.
 */
export function splitEvent(
  deps: EventDeps,
  charge: ChargeRow,
  now: Date,
): { id: string; accountId: string; eventId: string; eventBody: string } | null {
  if (charge.splitAccountId === null) return null;
  const id = uuidv7(now);
  const eventId = uuidv7(now);
  const fields: TransactionFields = {
    id,
    type: 'split_in',
    status: 'paid',
    amountCentavos: charge.splitCentavos,
    feeCentavos: 0n,
    netCentavos: charge.splitCentavos,
    externalId: externalIdOf({ id }),
    createdAt: now,
    paidAt: now,
  };
  const event = { eventId, now, livemode: charge.livemode, fields, previousStatus: null, details: {} };
  return {
    ...{ id, eventId, accountId: charge.splitAccountId },
    eventBody: sealEventBody(deps, eventId, eventBody('SplitInEvent', event)),
  };
}
