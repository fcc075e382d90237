import type { InvoiceRow } from '#db/invoices/invoices.ts';
import type { InvoiceStep } from '#domain/invoices/invoice-settlement.ts';
import type { InvoiceStatus } from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { eventType, externalIdOf } from '#domain/webhooks/events.ts';
import { eventBody } from '../webhooks/event-body.ts';
import { eventTexts } from '../webhooks/event-texts.ts';
import { type EventDeps, sealEventBody } from '../webhooks/seal-event-body.ts';

/**
 * The event of an invoice's change: its id, its type and, sealed, the exact bytes every delivery of
 * it will carry.
 */
export function invoiceEvent(
  deps: EventDeps,
  invoice: InvoiceRow,
  change: {
    status: InvoiceStatus;
    event: NonNullable<InvoiceStep['event']>;
    step?: InvoiceStep;
    paidAt?: Date | null;
    now: Date;
  },
): { eventId: string; eventType: string; eventBody: string } {
  const { now, step } = change;
  const eventId = uuidv7(now);
  // With what was credited of a review.
  const { decidedCreditCentavos, decidedFeeCentavos } = invoice;
  const feeCentavos = (step?.feeCentavos ?? invoice.creditedFeeCentavos) + decidedFeeCentavos;
  const netCentavos =
    (step?.netCentavos ?? invoice.creditedCentavos - invoice.creditedFeeCentavos) +
    (decidedCreditCentavos - decidedFeeCentavos);
  // The fee and the net amount of a completed invoice are those of what arrived, which may differ
  // from what was asked for.
  const credited = change.status === 'completed' ? { feeCentavos, netCentavos } : {};
  const fields = {
    ...invoice,
    ...credited,
    status: change.status,
    externalId: externalIdOf(invoice),
    paidAt: change.paidAt ?? invoice.paidAt,
  };
  const details = {
    currency: invoice.currency,
    crypto_amount: invoice.units,
    crypto_received: step?.receivedUnits ?? invoice.receivedUnits,
    sub_status: step ? step.subStatus : invoice.subStatus,
    // What is credited so far. `amount` is what was asked for, and until the invoice is completed
    // so are `amount_fees` and `net_amount`.
    credited_net_amount: netCentavos,
    credited_fees: feeCentavos,
    review_amount: (step?.reviewedCentavos ?? invoice.reviewedCentavos) - invoice.decidedCentavos,
    confirmations: step?.confirmations ?? invoice.confirmations,
    ...eventTexts(deps, invoice),
  };
  const body = eventBody('CryptoInEvent', {
    eventId,
    now,
    livemode: invoice.livemode,
    fields,
    previousStatus: invoice.status,
    name: change.event,
    details,
  });
  return { eventId, eventType: eventType(fields, change.event), eventBody: sealEventBody(deps, eventId, body) };
}
