import { type Fee, feeOf } from '../accounts/fees.ts';
import { INVOICE_TRANSITIONS, type InvoiceStatus } from '../transactions/transaction-states.ts';
import {
  divideArrival,
  type InvoiceIncrement,
  type PricedInvoice,
  priceArrival,
  QUOTED_FINAL_WITHIN_MS,
} from './invoice-pricing.ts';

/**
 * What an invoice's status alone does not say.
 * - while it can still be paid: `partial` (less than asked was seen), `detected` (enough was seen,
 *   the network has not confirmed it)
 * - after that: `underpaid`, `overpaid`, `late` (in full, but after its end), `paid_again` (more
 *   came after it was completed)
 */
export const INVOICE_SUB_STATUSES = ['partial', 'detected', 'underpaid', 'overpaid', 'late', 'paid_again'] as const;
export type InvoiceSubStatus = (typeof INVOICE_SUB_STATUSES)[number];

export type InvoiceState = PricedInvoice & {
  status: InvoiceStatus;
  subStatus: InvoiceSubStatus | null;
  /** What had arrived at the last check; 10^-8 of a coin. */
  receivedUnits: bigint;
  /** The part of it that is known to have been sent in time. */
  inTimeUnits: bigint;
  /** The fee in what has been credited, and what was put to review; see PricedInvoice. */
  creditedFeeCentavos: bigint;
  reviewedCentavos: bigint;
  /** What was credited of that by an operator, and the fee in it. */
  decidedCreditCentavos: bigint;
  decidedFeeCentavos: bigint;
  confirmations: number;
  fee: Fee;
};

/** The invoice as its processor states it; see CryptoInvoice of the rails' ports. */
export type ProviderInvoice = {
  status: 'open' | 'final' | 'expired' | 'cancelled' | 'failed';
  receivedUnits: bigint;
  confirmations: number;
};

/**
 * The invoice's next state. Its figures are totals, not differences; `increments` are what this
 * step prices.
 */
export type InvoiceStep = {
  status: InvoiceStatus;
  subStatus: InvoiceSubStatus | null;
  receivedUnits: bigint;
  inTimeUnits: bigint;
  settledUnits: bigint;
  quotedUnits: bigint;
  /** The pending amount after the fee: an estimate until it is final. */
  pendingCentavos: bigint;
  /** What is credited, after the fee. */
  netCentavos: bigint;
  feeCentavos: bigint;
  /** What waits in suspense for an operator. */
  reviewedCentavos: bigint;
  confirmations: number;
  increments: InvoiceIncrement[];
  /** The name of the event; `null`: there is none. */
  event: 'detected' | 'completed' | 'underpaid' | 'overpaid' | 'expired' | 'cancelled' | 'failed' | null;
};

/**
 * A payment of the last second takes a while to be seen, so an invoice that its processor does not
 * know does not expire before.
 */
export const INVOICE_EXPIRY_GRACE_MS = 60_000;

/**
 * No processor says when a payment was sent, so it counts as in time if we have seen it by then:
 * the end, the minute that a payment takes to be seen, and another one for a worker that is busy.
 */
export const IN_TIME_GRACE_MS = 2 * INVOICE_EXPIRY_GRACE_MS;

/**
 * Decides an invoice's next state from what its processor says and the account's current quote
 * (`marketPrice`, 10^-8 BRL for one coin; `null`: there is none, or none is needed). Returns `null`
 * when it stays as it is. What is final is priced once, when it is first seen to be final:
 * - what came in time, up to the account's tolerance above what was asked, at the invoice's quote;
 *   exactly what was asked credits exactly the amount;
 * - all else (late, too much, again) at the lower of the invoice's quote and the current one, at
 *   most creditMaxCentavos in all; what is above that goes to review.
 *
 * A quantity within the tolerance counts as what was asked (`completed` without a sub-status).
 * Less, once the invoice has ended, is `underpaid`; more is `overpaid`; all of it, but not in time,
 * is `late`; more after it was completed is `paid_again`.
 */
export function nextInvoiceStep(
  invoice: InvoiceState,
  provider: ProviderInvoice | null,
  marketPrice: bigint | null,
  now: Date,
): InvoiceStep | null {
  const step = decide(invoice, provider, marketPrice, now);
  if (!step) return null;
  const same =
    step.status === invoice.status &&
    step.subStatus === invoice.subStatus &&
    step.receivedUnits === invoice.receivedUnits &&
    step.inTimeUnits === invoice.inTimeUnits &&
    step.increments.length === 0 &&
    step.confirmations === invoice.confirmations;
  if (same) return null;
  if (step.status !== invoice.status && !INVOICE_TRANSITIONS[invoice.status].includes(step.status)) return null;
  return step;
}

/**
 * Returns whether a part of what arrived needs the market's price. Without one, a final part waits,
 * and the invoice has to be checked again.
 */
export const needsMarketPrice = (invoice: InvoiceState, provider: ProviderInvoice | null, now: Date): boolean =>
  provider !== null && divideArrival(invoice, arrivalOf(invoice, provider, now), now).other > 0n;

/**
 * Returns whether a part of what was seen is still to be priced: it was not final then, or had no
 * quote. A part worth less than a centavo is not.
 */
export const isUnpriced = (invoice: InvoiceState, now: Date): boolean =>
  priceArrival(invoice, { ...invoice, marketPrice: invoice.quotePrice }, now).length > 0;

/** Returns whether what the processor states is final, so that it is priced now. */
export const isFinal = (provider: ProviderInvoice | null): boolean =>
  provider?.status === 'final' || provider?.status === 'expired';

/**
 * Returns whether a processor has less than what it had called final: it contradicts itself, and
 * what is settled stays.
 */
export const isTakenBack = (
  { settledUnits }: Pick<InvoiceState, 'settledUnits'>,
  provider: Pick<ProviderInvoice, 'receivedUnits'> | null,
): boolean => provider !== null && provider.receivedUnits < settledUnits;

function decide(
  invoice: InvoiceState,
  provider: ProviderInvoice | null,
  marketPrice: bigint | null,
  now: Date,
): InvoiceStep | null {
  // A processor that calls an invoice final without any money in it says as little as one that does
  // not know it.
  if (!provider || (provider.status === 'final' && provider.receivedUnits === 0n)) {
    // A processor that had seen money of it contradicts itself: as late, the money would be worth
    // less once it is found again.
    const graceMs = invoice.receivedUnits > 0n ? QUOTED_FINAL_WITHIN_MS + 1 : INVOICE_EXPIRY_GRACE_MS;
    const over = now.getTime() >= invoice.expiresAt.getTime() + graceMs;
    return over && invoice.status === 'pending' ? closed(invoice, 'expired') : null;
  }
  const { status, receivedUnits, confirmations } = provider;
  if (isTakenBack(invoice, provider)) return null;
  if (status === 'open' && (receivedUnits > 0n || invoice.receivedUnits > 0n)) return seen();
  if (status === 'open') {
    // A shop may keep invoices open for longer than their quotes are held.
    const over = now.getTime() > invoice.expiresAt.getTime() + IN_TIME_GRACE_MS;
    return over && invoice.status === 'pending' ? closed(invoice, 'expired', confirmations) : null;
  }

  if (status === 'cancelled' || status === 'failed' || (status === 'expired' && receivedUnits === 0n)) {
    if (invoice.status !== 'pending') return receivedUnits === 0n && invoice.receivedUnits > 0n ? vanished() : null;
    return closed(invoice, status, confirmations);
  }
  return settled();

  /** Of an ended invoice: what was seen after its end is not pending any more. */
  function vanished(): InvoiceStep {
    const nothing = { receivedUnits: 0n, inTimeUnits: 0n, confirmations, event: null };
    return { ...totalsOf(invoice), ...nothing, status: invoice.status, subStatus: null };
  }

  function seen(): InvoiceStep {
    const arrival = arrivalOf(invoice, provider as ProviderInvoice, now);
    const subStatus =
      invoice.status === 'completed'
        ? invoice.subStatus
        : receivedUnits === 0n
          ? null
          : enough(invoice, receivedUnits)
            ? 'detected'
            : 'partial';
    const expected = creditOf(invoice, priceArrival(invoice, { ...arrival, marketPrice }, now));
    const net = invoice.creditedCentavos - invoice.creditedFeeCentavos;
    return {
      ...totalsOf(invoice),
      ...arrival,
      status: invoice.status,
      subStatus,
      pendingCentavos: expected.netCentavos - net,
      confirmations,
      event: subStatus !== invoice.subStatus && subStatus !== null ? 'detected' : null,
    };
  }

  function settled(): InvoiceStep {
    const arrival = arrivalOf(invoice, provider as ProviderInvoice, now);
    const increments = priceArrival(invoice, { ...arrival, marketPrice }, now);
    const { netCentavos, feeCentavos } = creditOf(invoice, increments);
    const quoted = increments.filter(({ isQuoted }) => isQuoted);
    const settledUnits = invoice.settledUnits + sumOf(increments, ({ units }) => units);
    const quotedUnits = invoice.quotedUnits + sumOf(quoted, ({ units }) => units);
    const total = {
      ...totalsOf(invoice),
      ...arrival,
      settledUnits,
      quotedUnits,
      netCentavos,
      feeCentavos,
      reviewedCentavos: invoice.reviewedCentavos + sumOf(increments, ({ reviewedCentavos }) => reviewedCentavos),
      confirmations,
      increments,
    };
    // Of one that is completed an operator has credited what waited for review.
    if (netCentavos + feeCentavos === 0n && invoice.status !== 'completed') {
      const isOver = status === 'expired' || settledUnits > 0n;
      return { ...total, ...uncredited(invoice, { isOver, isReviewed: increments.length > 0 }) };
    }
    const subStatus = endOf(invoice, { settledUnits, quotedUnits });
    const event = increments.length === 0 ? null : eventOf(subStatus);
    return { ...total, status: 'completed', subStatus, event };
  }
}

/**
 * Returns what has arrived, and the part that is known to have been sent in time: what was seen by
 * then and is still there. Once anything came too late, or the invoice has ended, nothing that
 * comes after it is in time.
 */
function arrivalOf(invoice: InvoiceState, { status, receivedUnits }: ProviderInvoice, now: Date) {
  const isInTime =
    now.getTime() <= invoice.expiresAt.getTime() + IN_TIME_GRACE_MS &&
    (status === 'open' || status === 'final') &&
    (invoice.status === 'pending' || invoice.status === 'completed') &&
    invoice.inTimeUnits === invoice.receivedUnits;
  const inTimeUnits = isInTime || receivedUnits < invoice.inTimeUnits ? receivedUnits : invoice.inTimeUnits;
  return { receivedUnits, inTimeUnits };
}

/**
 * Money that waits for a price, or for an operator, credits nothing: the invoice ends as if it had
 * not come. What comes after its end, and waits for an operator, is not awaited any more.
 */
function uncredited(
  { status, subStatus }: InvoiceState,
  { isOver, isReviewed }: { isOver: boolean; isReviewed: boolean },
): Pick<InvoiceStep, 'status' | 'subStatus' | 'event'> {
  if (isOver && status === 'pending') return { status: 'expired', subStatus: null, event: 'expired' };
  return isReviewed ? { status, subStatus: null, event: 'detected' } : { status, subStatus, event: null };
}

/**
 * Returns the sub-status that an invoice has once a review of it is credited, and the name of that
 * event: those of what is settled, as if it had been credited at once.
 */
export function endOfReview(invoice: EndedInvoice): Pick<InvoiceStep, 'subStatus'> & { event: InvoiceEnd } {
  const subStatus = endOf(invoice, invoice);
  return { subStatus, event: eventOf(subStatus) };
}

type EndedInvoice = Pick<
  InvoiceState,
  'status' | 'subStatus' | 'settledUnits' | 'quotedUnits' | 'units' | 'toleranceBps'
>;
type InvoiceEnd = 'completed' | 'underpaid' | 'overpaid';

function endOf(
  invoice: EndedInvoice,
  { settledUnits, quotedUnits }: { settledUnits: bigint; quotedUnits: bigint },
): InvoiceSubStatus | null {
  const isMore = settledUnits > invoice.settledUnits;
  if (invoice.status === 'completed' && !isMore) return invoice.subStatus;
  if (invoice.status === 'completed' && invoice.subStatus !== 'underpaid') return 'paid_again';
  if (!enough(invoice, settledUnits)) return 'underpaid';
  if ((settledUnits - invoice.units) * 10_000n > invoice.units * BigInt(invoice.toleranceBps)) return 'overpaid';
  return enough(invoice, quotedUnits) ? null : 'late';
}

const eventOf = (subStatus: InvoiceSubStatus | null): InvoiceEnd =>
  subStatus === 'underpaid'
    ? 'underpaid'
    : subStatus === 'overpaid' || subStatus === 'paid_again'
      ? 'overpaid'
      : 'completed';

/** Whether a quantity counts as what was asked for, or more. */
const enough = (invoice: Pick<InvoiceState, 'units' | 'toleranceBps'>, units: bigint): boolean =>
  units * 10_000n >= invoice.units * BigInt(10_000 - invoice.toleranceBps);

/**
 * Returns what is credited with these increments: one fee for all, so that a payment in parts costs
 * what it costs in one.
 */
function creditOf(invoice: InvoiceState, increments: InvoiceIncrement[]) {
  const gross = invoice.creditedCentavos + sumOf(increments, ({ creditedCentavos }) => creditedCentavos);
  const fee = feeOf(gross + invoice.decidedCreditCentavos, invoice.fee) - invoice.decidedFeeCentavos;
  // Neither the fee nor the rest ever shrinks, even if the rule for fees has changed since.
  const before = invoice.creditedFeeCentavos;
  const feeMax = before + gross - invoice.creditedCentavos;
  const feeCentavos = fee < before ? before : fee > feeMax ? feeMax : fee;
  return { netCentavos: gross - feeCentavos, feeCentavos };
}

/** The current totals. */
const totalsOf = (invoice: InvoiceState) => ({
  settledUnits: invoice.settledUnits,
  quotedUnits: invoice.quotedUnits,
  pendingCentavos: 0n,
  netCentavos: invoice.creditedCentavos - invoice.creditedFeeCentavos,
  feeCentavos: invoice.creditedFeeCentavos,
  reviewedCentavos: invoice.reviewedCentavos,
  increments: [] as InvoiceIncrement[],
});

/** The end without money: what was seen has vanished from the network. */
const closed = (invoice: InvoiceState, status: 'expired' | 'cancelled' | 'failed', confirmations = 0): InvoiceStep => ({
  ...totalsOf(invoice),
  status,
  subStatus: null,
  receivedUnits: 0n,
  inTimeUnits: 0n,
  confirmations,
  event: status,
});

const sumOf = (increments: InvoiceIncrement[], amountOf: (increment: InvoiceIncrement) => bigint): bigint =>
  increments.reduce((sum, increment) => sum + amountOf(increment), 0n);

/**
 * Returns when an invoice is checked although no callback came. While it can be paid: soon, then
 * every five minutes, and at its end, so that what came in time is seen in time; afterwards a few
 * times more, for late payments whose callback got lost. `null`: no further check.
 */
export function nextInvoiceCheck(invoice: { createdAt: Date; expiresAt: Date; open: boolean }, now: Date): Date | null {
  const { createdAt, expiresAt, open } = invoice;
  const end = expiresAt.getTime() + INVOICE_EXPIRY_GRACE_MS;
  const checks = [
    ...CHECKS_AFTER_CREATION_MS.map((after) => createdAt.getTime() + after),
    expiresAt.getTime(),
    end,
    ...CHECKS_AFTER_END_MS.map((after) => end + after),
  ];
  const next = checks.filter((check) => check > now.getTime()).sort((a, b) => a - b)[0];
  const regular = now.getTime() + CHECK_EVERY_MS;
  if (!open) return next === undefined ? null : new Date(Math.max(next, end));
  return new Date(next === undefined ? regular : Math.min(next, regular));
}

const CHECKS_AFTER_CREATION_MS = [15_000, 45_000, 2 * 60_000];
const CHECK_EVERY_MS = 5 * 60_000;
const CHECKS_AFTER_END_MS = [60 * 60_000, 6 * 60 * 60_000, 24 * 60 * 60_000, 72 * 60 * 60_000];
