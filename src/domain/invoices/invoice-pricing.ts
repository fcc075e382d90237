import { centavosWorth } from '../quotes/crypto-units.ts';

/**
 * What decides the price of an invoice's payments. A quote that stays open after its time, or for
 * more than was asked, is an option that the payer exercises when the market has fallen: see
 * docs/adr/0001-price-of-late-crypto-payments.md.
 */
export type PricedInvoice = {
  amountCentavos: bigint;
  /** What was asked for, in 10^-8 of a coin. */
  units: bigint;
  /** The part of what arrived that is final and priced: it was credited or put to review. */
  settledUnits: bigint;
  /** The part of `settledUnits` that was priced at the invoice's own quote. */
  quotedUnits: bigint;
  /** What was credited, before the fee is deducted. */
  creditedCentavos: bigint;
  /** 10^-8 BRL for one coin: the invoice's own quote. */
  quotePrice: bigint;
  toleranceBps: number;
  expiresAt: Date;
  /**
   * The total up to which payments are credited that were late, too much, or made again: see
   * creditMax.
   */
  creditMaxCentavos: bigint;
};

/** A part of what arrived, priced once and for good. */
export type InvoiceIncrement = {
  /** What was settled before it: no two increments of an invoice begin at the same quantity. */
  unitsBefore: bigint;
  units: bigint;
  /** 10^-8 BRL for one coin. */
  price: bigint;
  /** Whether it has the invoice's quote by right, because it came in time and was asked for. */
  isQuoted: boolean;
  creditedCentavos: bigint;
  reviewedCentavos: bigint;
};

/**
 * How long after an invoice's end a payment that was seen in time may still become final at the
 * invoice's quote. Three blocks of Bitcoin take half an hour, and two hours once in thousands of
 * times; a payer who sets too low a fee, to decide later whether to raise it, has no more time than
 * this.
 */
export const QUOTED_FINAL_WITHIN_MS = 2 * 60 * 60_000;

/** Processors count the life of an invoice in minutes, rounded up. */
const PROCESSOR_STEP_MS = 60_000;

/**
 * Returns until when an invoice's quote is held: the end that its processor has, by which a payment
 * still comes in time, but at most its step beyond what we asked for. A processor that keeps an
 * invoice open for longer (a setting of the shop) has the rest as late payments.
 */
export const quoteEnd = (asked: Date, processors: Date | null): Date =>
  processors === null ? asked : new Date(Math.min(processors.getTime(), asked.getTime() + PROCESSOR_STEP_MS));

/**
 * The most that is credited on one invoice by payments without a request, in an account that has no
 * limit for deposits: R$ 10,000.00, or the invoice's own amount where that is more.
 */
const CREDIT_MAX_WITHOUT_LIMIT_CENTAVOS = 10_000_00n;

/**
 * Returns the most that the payments of an invoice may credit, in centavos: what the invoice itself
 * could have been for. `depositMaxCentavos`: the account's limit for deposits; `null`: it has none.
 */
export function creditMax(amountCentavos: bigint, depositMaxCentavos: bigint | null): bigint {
  if (depositMaxCentavos !== null) return depositMaxCentavos;
  return larger(amountCentavos, CREDIT_MAX_WITHOUT_LIMIT_CENTAVOS);
}

/**
 * Divides what has arrived and is not priced yet, in 10^-8 of a coin: `quoted` gets the invoice's
 * quote, `other` the lower of that and the market's price.
 */
export function divideArrival(
  invoice: PricedInvoice,
  arrival: { receivedUnits: bigint; inTimeUnits: bigint },
  now: Date,
): { quoted: bigint; other: bigint } {
  const fresh = larger(arrival.receivedUnits - invoice.settledUnits, 0n);
  const isOver = now.getTime() > invoice.expiresAt.getTime() + QUOTED_FINAL_WITHIN_MS;
  const quotable = isOver ? 0n : larger(smaller(arrival.inTimeUnits, askedMax(invoice)) - invoice.quotedUnits, 0n);
  const quoted = smaller(fresh, quotable);
  return { quoted, other: fresh - quoted };
}

/**
 * Prices what has arrived and is not priced yet. `marketPrice` is the account's current quote
 * (10^-8 BRL for one coin); where there is none (`null`), the part that needs it is left for later.
 * A part worth less than a centavo is left until it adds up to one. What came in time and was asked
 * for is credited in full, even if the limit is lower by now. Of the rest, what would bring the
 * credit above `creditMaxCentavos` goes to review.
 */
export function priceArrival(
  invoice: PricedInvoice,
  arrival: { receivedUnits: bigint; inTimeUnits: bigint; marketPrice: bigint | null },
  now: Date,
): InvoiceIncrement[] {
  const { quoted, other } = divideArrival(invoice, arrival, now);
  const { quotePrice } = invoice;
  const increments: InvoiceIncrement[] = [];
  let unitsBefore = invoice.settledUnits;
  let credited = invoice.creditedCentavos;
  const add = (part: { units: bigint; price: bigint; isQuoted: boolean; worth: bigint; max: bigint }) => {
    const { units, price, isQuoted, worth, max } = part;
    if (worth <= 0n) return;
    const creditedCentavos = smaller(worth, larger(max - credited, 0n));
    increments.push({
      unitsBefore,
      units,
      price,
      isQuoted,
      creditedCentavos,
      reviewedCentavos: worth - creditedCentavos,
    });
    unitsBefore += units;
    credited += creditedCentavos;
  };

  const worth = worthAtQuote(invoice, invoice.quotedUnits + quoted) - worthAtQuote(invoice, invoice.quotedUnits);
  const promised = larger(invoice.amountCentavos, centavosWorth(askedMax(invoice), quotePrice));
  const quotedMax = larger(invoice.creditMaxCentavos, promised);
  add({ units: quoted, price: quotePrice, isQuoted: true, worth, max: quotedMax });
  if (arrival.marketPrice !== null) {
    const price = smaller(arrival.marketPrice, quotePrice);
    const worth = centavosWorth(other, price);
    add({ units: other, price, isQuoted: false, worth, max: invoice.creditMaxCentavos });
  }
  return increments;
}

/** What was asked for, with the account's tolerance above it. */
const askedMax = ({ units, toleranceBps }: PricedInvoice): bigint => (units * BigInt(10_000 + toleranceBps)) / 10_000n;

/**
 * Exactly the quantity that was asked for is worth the amount, because that quantity was rounded up
 * to what the network can express.
 */
const worthAtQuote = ({ units, amountCentavos, quotePrice }: PricedInvoice, quantity: bigint): bigint =>
  quantity === units ? amountCentavos : centavosWorth(quantity, quotePrice);

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
