import type { AccountTerms } from '#db/accounts/account-terms.ts';
import type { ChargeRow } from '#db/charges/charges.ts';
import type { Deposit } from '#db/unmatched/unmatched.ts';
import { FREE, feeOf } from '#domain/accounts/fees.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { chargeEvent } from '../charges/charge-event.ts';
import type { EventDeps } from '../webhooks/seal-event-body.ts';

/** What an account pays for an amount that comes in over PIX. */
const pixInFee = (terms: AccountTerms, centavos: bigint): bigint => feeOf(centavos, terms.fees.pix_in ?? FREE);

/**
 * A payment that is credited without a charge: the row that it gets, with the account's fee, and
 * the event of its payment.
 */
export function depositOf(
  deps: EventDeps,
  terms: AccountTerms,
  payment: { rail: string; centavos: bigint; endToEndId: string; paidAt: Date },
  now: Date,
): { deposit: Deposit; eventId: string; eventBody: string } {
  const { rail, centavos, endToEndId, paidAt } = payment;
  const feeCentavos = pixInFee(terms, centavos);
  const deposit = { id: uuidv7(now), accountId: terms.accountId, rail, amountCentavos: centavos, feeCentavos };
  const charge: ChargeRow = {
    ...deposit,
    status: 'pending',
    netCentavos: centavos - feeCentavos,
    brCode: null,
    endToEndId: null,
    createdAt: now,
    expiresAt: now,
    paidAt: null,
    refundedCentavos: 0n,
    splitAccountId: null,
    splitCentavos: 0n,
    description: null,
    reference: null,
    metadata: null,
    customerName: null,
    customerDocument: null,
    customerDocumentType: null,
    livemode: terms.mode === 'live',
    reviewedPayments: [],
    openReviews: 0,
  };
  return { deposit, ...chargeEvent(deps, charge, { status: 'paid', endToEndId, paidAt, now }) };
}

/**
 * A charge that is paid by another amount becomes one of that amount, with the fee of today. Its
 * split stays: it was asked for as an amount of BRL, not as a share of the charge. Null: the amount
 * is not enough for both.
 */
export function chargeOfAmount(charge: ChargeRow, terms: AccountTerms, centavos: bigint): ChargeRow | null {
  if (charge.amountCentavos === centavos) return charge;
  const feeCentavos = pixInFee(terms, centavos);
  const netCentavos = centavos - feeCentavos - charge.splitCentavos;
  return netCentavos < 0n ? null : { ...charge, amountCentavos: centavos, feeCentavos, netCentavos };
}
