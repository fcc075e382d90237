import { centavosWorth } from './crypto-units.ts';
import { type Fee, feeOf } from './fees.ts';
import { INVOICE_TRANSITIONS, type InvoiceStatus } from './transaction-states.ts';

/**
 * Beside the status, what the contract has no word for.
 * - while it can still be paid: `partial` (less than asked was seen), `detected` (enough was seen, the network has not confirmed it)
 * - once it is over: `underpaid`, `overpaid`, `late` (in full, but after its end), `paid_again` (more came after it was completed)
 */
export type InvoiceSubStatus = 'partial' | 'detected' | 'underpaid' | 'overpaid' | 'late' | 'paid_again';

export type InvoiceFacts = {
  status: InvoiceStatus;
  subStatus: InvoiceSubStatus | null;
  amountCentavos: bigint;
  /** What was asked for, and what had arrived at the last look; 10^-8 of a coin. */
  units: bigint;
  receivedUnits: bigint;
  /** What had been credited at the last look, fee included, and the fee. */
  creditedCentavos: bigint;
  creditedFeeCentavos: bigint;
  confirmations: number;
  /** 10^-8 BRL for one coin: the invoice's own quote, whatever the price is by now. */
  quotePrice: bigint;
  fee: Fee;
  toleranceBps: number;
  expiresAt: Date;
};

/** The invoice as its processor states it; see CryptoInvoice of the rails' ports. */
export type ProviderInvoice = {
  status: 'open' | 'final' | 'expired' | 'cancelled' | 'failed';
  receivedUnits: bigint;
  confirmations: number;
};

/** Where the invoice goes: totals, not differences. */
export type InvoiceStep = {
  status: InvoiceStatus;
  subStatus: InvoiceSubStatus | null;
  receivedUnits: bigint;
  /** What stands in pending, without the fee. */
  pendingCentavos: bigint;
  /** What is credited, without the fee. */
  netCentavos: bigint;
  feeCentavos: bigint;
  confirmations: number;
  /** The name of the event, null when it is not worth one. */
  event: 'detected' | 'completed' | 'underpaid' | 'overpaid' | 'expired' | 'cancelled' | 'failed' | null;
};

/** A payment of the last second takes a while to be seen: an invoice that its processor does not know is not called expired before. */
export const INVOICE_EXPIRY_GRACE_MS = 60_000;

/**
 * Decides where an invoice goes, given what its processor says; null when it stays as it is. What arrived is credited at the
 * invoice's quote, whatever was asked for, and never less than before:
 * - exactly what was asked credits exactly the amount; anything else is worth its quantity times the price, in whole centavos;
 * - within the account's tolerance it counts as what was asked (`completed` without a sub-status);
 * - less, when the invoice is over: `underpaid`; more: `overpaid`; in full after its end: `late`; more after it was completed: `paid_again`.
 */
export function nextInvoiceStep(
  invoice: InvoiceFacts,
  provider: ProviderInvoice | null,
  now: Date,
): InvoiceStep | null {
  const step = decide(invoice, provider, now);
  if (!step) return null;
  const same =
    step.status === invoice.status &&
    step.subStatus === invoice.subStatus &&
    step.receivedUnits === invoice.receivedUnits &&
    step.netCentavos + step.feeCentavos === invoice.creditedCentavos &&
    step.confirmations === invoice.confirmations;
  if (same) return null;
  if (step.status !== invoice.status && !INVOICE_TRANSITIONS[invoice.status].includes(step.status)) return null;
  return step;
}

function decide(invoice: InvoiceFacts, provider: ProviderInvoice | null, now: Date): InvoiceStep | null {
  if (!provider) {
    const over = now.getTime() >= invoice.expiresAt.getTime() + INVOICE_EXPIRY_GRACE_MS;
    return over && invoice.status === 'pending' ? closed(invoice, 'expired') : null;
  }
  const { status, receivedUnits, confirmations } = provider;
  const credited = { net: invoice.creditedCentavos - invoice.creditedFeeCentavos, fee: invoice.creditedFeeCentavos };
  const worth = grossOf(invoice, receivedUnits);
  const fee = feeOf(worth, invoice.fee);

  if (status === 'open') {
    if (receivedUnits === 0n && invoice.receivedUnits === 0n) return null;
    const pending = worth - fee - credited.net;
    const subStatus =
      invoice.status === 'completed'
        ? invoice.subStatus
        : receivedUnits === 0n
          ? null
          : enough(invoice, receivedUnits)
            ? 'detected'
            : 'partial';
    return {
      status: invoice.status,
      subStatus,
      receivedUnits,
      pendingCentavos: pending > 0n ? pending : 0n,
      netCentavos: credited.net,
      feeCentavos: credited.fee,
      confirmations,
      event: subStatus !== invoice.subStatus && subStatus !== null ? 'detected' : null,
    };
  }

  if (status === 'cancelled' || status === 'failed' || receivedUnits === 0n) {
    if (invoice.status !== 'pending') return null;
    // A processor that calls an invoice final without any money in it says nothing that we could act upon.
    return status === 'final' ? null : closed(invoice, status, confirmations);
  }

  // A processor that takes back what it called final contradicts itself: what is credited stays.
  if (worth < invoice.creditedCentavos) return null;
  const subStatus = endOf(invoice, status, receivedUnits);
  return {
    status: 'completed',
    subStatus,
    receivedUnits,
    pendingCentavos: 0n,
    netCentavos: worth - fee,
    feeCentavos: fee,
    confirmations,
    event: worth === invoice.creditedCentavos ? null : eventOf(subStatus),
  };
}

function endOf(invoice: InvoiceFacts, status: 'final' | 'expired', receivedUnits: bigint): InvoiceSubStatus | null {
  const isMore = grossOf(invoice, receivedUnits) > invoice.creditedCentavos;
  if (invoice.status === 'completed' && !isMore) return invoice.subStatus;
  if (invoice.status === 'completed' && invoice.subStatus !== 'underpaid') return 'paid_again';
  if (!enough(invoice, receivedUnits)) return 'underpaid';
  if ((receivedUnits - invoice.units) * 10_000n > invoice.units * BigInt(invoice.toleranceBps)) return 'overpaid';
  return status === 'expired' || invoice.status !== 'pending' ? 'late' : null;
}

const eventOf = (subStatus: InvoiceSubStatus | null): InvoiceStep['event'] =>
  subStatus === 'underpaid'
    ? 'underpaid'
    : subStatus === 'overpaid' || subStatus === 'paid_again'
      ? 'overpaid'
      : 'completed';

/** Whether a quantity counts as what was asked for, or more. */
const enough = (invoice: InvoiceFacts, units: bigint): boolean =>
  units * 10_000n >= invoice.units * BigInt(10_000 - invoice.toleranceBps);

const grossOf = (invoice: InvoiceFacts, units: bigint): bigint =>
  units === invoice.units ? invoice.amountCentavos : centavosWorth(units, invoice.quotePrice);

/** The end without money: what was seen has vanished from the network. */
const closed = (invoice: InvoiceFacts, status: 'expired' | 'cancelled' | 'failed', confirmations = 0): InvoiceStep => ({
  status,
  subStatus: null,
  receivedUnits: 0n,
  pendingCentavos: 0n,
  netCentavos: invoice.creditedCentavos - invoice.creditedFeeCentavos,
  feeCentavos: invoice.creditedFeeCentavos,
  confirmations,
  event: status,
});

/**
 * When an invoice is looked up although no callback came. While it can be paid: soon, then every five minutes; afterwards a few
 * times more, for late payments whose callback got lost. Null: no further look.
 */
export function nextInvoiceCheck(invoice: { createdAt: Date; expiresAt: Date; open: boolean }, now: Date): Date | null {
  const { createdAt, expiresAt, open } = invoice;
  const end = expiresAt.getTime() + INVOICE_EXPIRY_GRACE_MS;
  const checks = [
    ...CHECKS_AFTER_CREATION_MS.map((after) => createdAt.getTime() + after),
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
