import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unitsOwed } from '../quotes/crypto-units.ts';
import { creditMax } from './invoice-pricing.ts';
import {
  INVOICE_EXPIRY_GRACE_MS,
  type InvoiceState,
  type InvoiceStep,
  isFinal,
  needsMarketPrice,
  nextInvoiceCheck,
  nextInvoiceStep as nextStepAt,
  type ProviderInvoice,
} from './invoice-settlement.ts';

const CREATED = new Date('2026-11-20T12:00:00Z');
const EXPIRES = new Date('2026-11-20T13:00:00Z');
const NOW = new Date('2026-11-20T12:10:00Z');
const IN_TIME_GRACE_MS = 120_000;
const QUOTED_FINAL_WITHIN_MS = 2 * 3_600_000;
/** After the end and its grace period: a payment first seen now was not in time. */
const LATE = new Date(EXPIRES.getTime() + IN_TIME_GRACE_MS + 1);
/** R$ 5.40 */
const PRICE = 540_000_000n;
/** R$ 4.00: the market's price by now. */
const MARKET = 400_000_000n;

/** R$ 108.00 at R$ 5.40: 20 USDT; 1 % of fee. */
const invoice = (more: Partial<InvoiceState> = {}): InvoiceState => ({
  status: 'pending',
  subStatus: null,
  amountCentavos: 10_800n,
  units: 20_00000000n,
  receivedUnits: 0n,
  inTimeUnits: 0n,
  settledUnits: 0n,
  quotedUnits: 0n,
  creditedCentavos: 0n,
  creditedFeeCentavos: 0n,
  reviewedCentavos: 0n,
  decidedCreditCentavos: 0n,
  decidedFeeCentavos: 0n,
  creditMaxCentavos: 1_000_000n,
  confirmations: 0,
  quotePrice: PRICE,
  fee: { bps: 100, fixedCentavos: 0n },
  toleranceBps: 50,
  expiresAt: EXPIRES,
  ...more,
});
const provider = (status: ProviderInvoice['status'], received: bigint, confirmations = 0): ProviderInvoice => ({
  status,
  receivedUnits: received,
  confirmations,
});
/** The market has the invoice's own price, unless a test says otherwise. */
const nextInvoiceStep = (state: InvoiceState, said: ProviderInvoice | null, now: Date, market: bigint | null = PRICE) =>
  nextStepAt(state, said, market, now);

/** The invoice after a step. */
const stepped = (state: InvoiceState, step: InvoiceStep): InvoiceState => ({
  ...state,
  ...step,
  creditedCentavos: step.netCentavos + step.feeCentavos,
  creditedFeeCentavos: step.feeCentavos,
});
const arrived = (units: bigint) => ({
  receivedUnits: units,
  inTimeUnits: units,
  settledUnits: units,
  quotedUnits: units,
});
const completed = {
  status: 'completed',
  ...arrived(20_00000000n),
  creditedCentavos: 10_800n,
  creditedFeeCentavos: 108n,
} as const;

/** What tests compare of a step: its states, its amounts and its event. */
const essence = (step: InvoiceStep | null) =>
  step && [step.status, step.subStatus, step.pendingCentavos, step.netCentavos, step.feeCentavos, step.event];

describe('an invoice that can still be paid', () => {
  test('takes no step while nothing is seen', () => {
    expect(nextInvoiceStep(invoice(), provider('open', 0n), NOW)).toBeNull();
  });
  test('is pending without the fee once all of it is seen, and nothing is credited', () => {
    const step = nextInvoiceStep(invoice(), provider('open', 20_00000000n), NOW);
    expect(essence(step)).toEqual(['pending', 'detected', 10_692n, 0n, 0n, 'detected']);
  });
  test('is pending with the value of the part that is seen', () => {
    const step = nextInvoiceStep(invoice(), provider('open', 10_00000000n), NOW);
    expect(essence(step)).toEqual(['pending', 'partial', 5_346n, 0n, 0n, 'detected']);
  });
  test('records another confirmation without an event', () => {
    const seen = invoice({ subStatus: 'detected', receivedUnits: 20_00000000n });
    expect(nextInvoiceStep(seen, provider('open', 20_00000000n, 1), NOW)).toMatchObject({
      confirmations: 1,
      event: null,
    });
  });
  test('is pending with less once the network takes a payment back', () => {
    const seen = invoice({ subStatus: 'detected', receivedUnits: 20_00000000n });
    expect(essence(nextInvoiceStep(seen, provider('open', 0n), NOW))).toEqual(['pending', null, 0n, 0n, 0n, null]);
  });
});

describe('what came in time is credited at the invoice’s own quote, wherever the market is', () => {
  test.each<[string, InvoiceState, ProviderInvoice, unknown[]]>([
    ['exactly', invoice(), provider('final', 20_00000000n), ['completed', null, 0n, 10_692n, 108n, 'completed']],
    [
      'a little less, within tolerance',
      invoice(),
      provider('final', 19_95000000n),
      ['completed', null, 0n, 10_665n, 108n, 'completed'],
    ],
    [
      'as little as the tolerance allows',
      invoice(),
      provider('final', 19_90000000n),
      ['completed', null, 0n, 10_639n, 107n, 'completed'],
    ],
    [
      'one unit less than that',
      invoice(),
      provider('final', 19_89999999n),
      ['completed', 'underpaid', 0n, 10_638n, 107n, 'underpaid'],
    ],
    [
      'a little more, within tolerance',
      invoice(),
      provider('final', 20_10000000n),
      ['completed', null, 0n, 10_745n, 109n, 'completed'],
    ],
    [
      'half, seen before the invoice ended',
      invoice({ receivedUnits: 10_00000000n, inTimeUnits: 10_00000000n }),
      provider('expired', 10_00000000n),
      ['completed', 'underpaid', 0n, 5_346n, 54n, 'underpaid'],
    ],
  ])('%s', (_, state, said, expected) => {
    expect(essence(nextInvoiceStep(state, said, NOW, MARKET))).toEqual(expected);
    expect(essence(nextInvoiceStep(state, said, NOW, 2n * PRICE))).toEqual(expected);
    expect(needsMarketPrice(state, said, NOW)).toBe(false);
  });

  test('a payment is in time until the grace period after the end is over, and not later', () => {
    const said = provider('final', 20_00000000n);
    const lastMoment = new Date(EXPIRES.getTime() + IN_TIME_GRACE_MS);
    expect(nextInvoiceStep(invoice(), said, lastMoment, MARKET)).toMatchObject({
      subStatus: null,
      netCentavos: 10_692n,
    });
    expect(nextInvoiceStep(invoice(), said, LATE, MARKET)).toMatchObject({ subStatus: 'late', netCentavos: 7_920n });
  });

  test('a payment that is seen in time may become final for a limited time after the end', () => {
    const seen = stepped(invoice(), nextInvoiceStep(invoice(), provider('open', 20_00000000n), NOW) as InvoiceStep);
    const said = provider('final', 20_00000000n, 3);
    const end = EXPIRES.getTime() + QUOTED_FINAL_WITHIN_MS;
    expect(nextInvoiceStep(seen, said, new Date(end), MARKET)).toMatchObject({ subStatus: null, netCentavos: 10_692n });
    expect(nextInvoiceStep(seen, said, new Date(end + 1), MARKET)).toMatchObject({
      subStatus: 'late',
      netCentavos: 7_920n,
    });
  });

  test('a payment that is first seen once its processor calls the invoice expired was not in time', () => {
    const step = nextInvoiceStep(invoice(), provider('expired', 20_00000000n), NOW, MARKET);
    expect(essence(step)).toEqual(['completed', 'late', 0n, 7_920n, 80n, 'completed']);
  });

  test('the rest of an underpaid invoice is in time as well, while it can still be paid', () => {
    const half = { status: 'completed', subStatus: 'underpaid', ...arrived(10_00000000n) } as const;
    const underpaid = invoice({ ...half, creditedCentavos: 5_400n, creditedFeeCentavos: 54n });
    const step = nextInvoiceStep(underpaid, provider('final', 20_00000000n), NOW, MARKET);
    expect(essence(step)).toEqual(['completed', null, 0n, 10_692n, 108n, 'completed']);
  });

  test('no payment is in time after one that came too late, whatever the clock says', () => {
    const ended = invoice({ status: 'expired', expiresAt: new Date(NOW.getTime() + 1) });
    const late = stepped(ended, nextInvoiceStep(ended, provider('final', 10_00000000n), NOW, MARKET) as InvoiceStep);
    expect(nextInvoiceStep(late, provider('final', 20_00000000n), NOW, MARKET)).toMatchObject({ netCentavos: 7_920n });
  });

  test('a payment that the network took back and that is sent again after the end is not in time', () => {
    const seen = invoice({ subStatus: 'detected', receivedUnits: 20_00000000n, inTimeUnits: 20_00000000n });
    const gone = stepped(seen, nextInvoiceStep(seen, provider('open', 0n), LATE) as InvoiceStep);
    expect(nextInvoiceStep(gone, provider('final', 20_00000000n), LATE, MARKET)).toMatchObject({ netCentavos: 7_920n });
  });
});

describe('every other payment is credited at the worse of the invoice’s quote and the market', () => {
  test.each<[string, ProviderInvoice, Date, unknown[], unknown[]]>([
    [
      'double: the half that was not asked for',
      provider('final', 40_00000000n),
      NOW,
      ['completed', 'overpaid', 0n, 21_384n, 216n, 'overpaid'],
      // 20.1 at 5.40, which the tolerance covers, and 19.9 at 4.00.
      ['completed', 'overpaid', 0n, 18_626n, 188n, 'overpaid'],
    ],
    [
      'in full, after the end',
      provider('expired', 20_00000000n),
      LATE,
      ['completed', 'late', 0n, 10_692n, 108n, 'completed'],
      ['completed', 'late', 0n, 7_920n, 80n, 'completed'],
    ],
    [
      'in full, after the end, at a processor that calls it paid',
      provider('final', 20_00000000n),
      LATE,
      ['completed', 'late', 0n, 10_692n, 108n, 'completed'],
      ['completed', 'late', 0n, 7_920n, 80n, 'completed'],
    ],
    [
      'half, after the end',
      provider('expired', 10_00000000n),
      LATE,
      ['completed', 'underpaid', 0n, 5_346n, 54n, 'underpaid'],
      ['completed', 'underpaid', 0n, 3_960n, 40n, 'underpaid'],
    ],
  ])('%s', (_, said, now, same, fallen) => {
    expect(needsMarketPrice(invoice(), said, now)).toBe(true);
    expect(essence(nextInvoiceStep(invoice(), said, now, PRICE))).toEqual(same);
    expect(essence(nextInvoiceStep(invoice(), said, now, 2n * PRICE))).toEqual(same);
    expect(essence(nextInvoiceStep(invoice(), said, now, MARKET))).toEqual(fallen);
  });

  test.each(['expired', 'cancelled', 'failed'] as const)(
    'after it was %s as well: money that arrived is never lost',
    (status) => {
      const step = nextInvoiceStep(invoice({ status }), provider('final', 20_00000000n), NOW, MARKET);
      expect(essence(step)).toEqual(['completed', 'late', 0n, 7_920n, 80n, 'completed']);
    },
  );

  test('a second payment adds what it is worth', () => {
    const step = nextInvoiceStep(invoice(completed), provider('final', 30_00000000n), LATE, MARKET);
    expect(essence(step)).toEqual(['completed', 'paid_again', 0n, 14_652n, 148n, 'overpaid']);
  });
  test('a second payment that is not confirmed yet is pending, besides the credited amount', () => {
    const step = nextInvoiceStep(invoice(completed), provider('open', 30_00000000n), LATE, MARKET);
    expect(essence(step)).toEqual(['completed', null, 3_960n, 10_692n, 108n, null]);
  });
  test('a second payment that was seen before it is confirmed is reported as one all the same', () => {
    const seen = invoice({ ...completed, receivedUnits: 30_00000000n });
    const step = nextInvoiceStep(seen, provider('final', 30_00000000n), LATE, MARKET);
    expect(essence(step)).toEqual(['completed', 'paid_again', 0n, 14_652n, 148n, 'overpaid']);
  });
  test('a third payment that was seen before it is confirmed is credited, and reported, as the second one was', () => {
    const twice = { ...arrived(30_00000000n), inTimeUnits: 20_00000000n, quotedUnits: 20_00000000n };
    const before = { creditedCentavos: 14_800n, creditedFeeCentavos: 148n, receivedUnits: 40_00000000n } as const;
    const seen = invoice({ status: 'completed', subStatus: 'paid_again', ...twice, ...before });
    const step = nextInvoiceStep(seen, provider('final', 40_00000000n), LATE, MARKET);
    expect(essence(step)).toEqual(['completed', 'paid_again', 0n, 18_612n, 188n, 'overpaid']);
  });
  test('a second payment that the network took back leaves pending, and what is credited stays', () => {
    const seen = invoice({ ...completed, receivedUnits: 30_00000000n });
    const step = nextInvoiceStep(seen, provider('final', 20_00000000n), NOW);
    expect(essence(step)).toEqual(['completed', null, 0n, 10_692n, 108n, null]);
  });
  test('the rest of an underpaid invoice, however late, makes it whole', () => {
    const half = { status: 'completed', subStatus: 'underpaid', ...arrived(10_00000000n) } as const;
    const underpaid = invoice({ ...half, creditedCentavos: 5_400n, creditedFeeCentavos: 54n });
    const step = nextInvoiceStep(underpaid, provider('expired', 20_00000000n), LATE, MARKET);
    expect(essence(step)).toEqual(['completed', 'late', 0n, 9_306n, 94n, 'completed']);
  });
  test('a payment after one that was credited from review pays the fixed part of the fee no second time', () => {
    const reviewed = { ...arrived(20_00000000n), inTimeUnits: 0n, quotedUnits: 0n, reviewedCentavos: 10_800n };
    const decided = { decidedCreditCentavos: 10_800n, decidedFeeCentavos: 308n };
    const before = invoice({ status: 'completed', ...reviewed, ...decided, fee: { bps: 100, fixedCentavos: 200n } });
    const step = nextInvoiceStep(before, provider('final', 40_00000000n), LATE);
    expect(essence(step)).toEqual(['completed', 'paid_again', 0n, 10_692n, 108n, 'overpaid']);
  });
  test('a repeated answer of the processor is no step, and a later one takes nothing back', () => {
    for (const said of [
      provider('final', 20_00000000n),
      provider('expired', 20_00000000n),
      provider('final', 10_00000000n),
      provider('open', 10_00000000n),
      provider('expired', 0n),
      provider('cancelled', 0n),
      provider('failed', 20_00000000n),
    ]) {
      expect(nextInvoiceStep(invoice(completed), said, NOW)).toBeNull();
    }
  });
});

describe('without a current quote', () => {
  const noPrice = null;
  test('a late payment waits, and the invoice with it', () => {
    const said = provider('final', 20_00000000n);
    const step = nextInvoiceStep(invoice(), said, LATE, noPrice);
    expect(essence(step)).toEqual(['pending', null, 0n, 0n, 0n, null]);
    expect(step).toMatchObject({ receivedUnits: 20_00000000n, settledUnits: 0n });
    expect([isFinal(said), needsMarketPrice(stepped(invoice(), step as InvoiceStep), said, LATE)]).toEqual([
      true,
      true,
    ]);
  });
  test('a late payment of an invoice that its processor calls expired waits, and the invoice expires', () => {
    const said = provider('expired', 20_00000000n);
    const step = nextInvoiceStep(invoice(), said, LATE, noPrice) as InvoiceStep;
    expect(essence(step)).toEqual(['expired', null, 0n, 0n, 0n, 'expired']);
    const waiting = stepped(invoice(), step);
    expect([isFinal(said), needsMarketPrice(waiting, said, LATE)]).toEqual([true, true]);
    const priced = nextInvoiceStep(waiting, said, LATE, MARKET);
    expect(essence(priced)).toEqual(['completed', 'late', 0n, 7_920n, 80n, 'completed']);
  });
  test('what was asked for is credited, and the excess waits', () => {
    const said = provider('final', 40_00000000n);
    const step = nextInvoiceStep(invoice(), said, NOW, noPrice) as InvoiceStep;
    expect(essence(step)).toEqual(['completed', null, 0n, 10_745n, 109n, 'completed']);
    const again = nextInvoiceStep(stepped(invoice(), step), said, LATE, MARKET);
    expect(essence(again)).toEqual(['completed', 'paid_again', 0n, 18_626n, 188n, 'overpaid']);
  });
  test('a late payment that is not final is reported, without what it may be worth', () => {
    const step = nextInvoiceStep(invoice(), provider('open', 20_00000000n), LATE, noPrice);
    expect(essence(step)).toEqual(['pending', 'detected', 0n, 0n, 0n, 'detected']);
  });
});

describe('what would credit more than the account’s deposits may be goes to review', () => {
  const limited = invoice({ creditMaxCentavos: 15_000n });
  test('the part above the maximum waits for review, and so does all that comes after', () => {
    const step = nextInvoiceStep(limited, provider('final', 60_00000000n), LATE, MARKET) as InvoiceStep;
    expect(essence(step)).toEqual(['completed', 'overpaid', 0n, 14_850n, 150n, 'overpaid']);
    expect(step).toMatchObject({ settledUnits: 60_00000000n, reviewedCentavos: 9_000n });
    const next = nextInvoiceStep(stepped(limited, step), provider('final', 70_00000000n), LATE, MARKET) as InvoiceStep;
    expect(essence(next)).toEqual(['completed', 'paid_again', 0n, 14_850n, 150n, 'overpaid']);
    expect(next).toMatchObject({ settledUnits: 70_00000000n, reviewedCentavos: 13_000n });
  });
  test('what was asked for and came in time is credited, also where the limit is lower by then', () => {
    const lowered = invoice({ creditMaxCentavos: 5_000n });
    const step = nextInvoiceStep(lowered, provider('final', 20_00000000n), NOW, MARKET);
    expect(step).toMatchObject({ netCentavos: 10_692n, reviewedCentavos: 0n });
  });
  test('a late payment waits as a whole where nothing may be credited, and the invoice expires', () => {
    const step = nextInvoiceStep(invoice({ creditMaxCentavos: 0n }), provider('final', 20_00000000n), LATE, MARKET);
    expect(essence(step)).toEqual(['expired', null, 0n, 0n, 0n, 'expired']);
    expect(step).toMatchObject({ reviewedCentavos: 8_000n, settledUnits: 20_00000000n });
  });
  test('a payment to an ended invoice that waits as a whole is reported, and no more as one to be confirmed', () => {
    const ended = invoice({ status: 'expired', creditMaxCentavos: 0n });
    const seen = stepped(ended, nextInvoiceStep(ended, provider('open', 20_00000000n), LATE) as InvoiceStep);
    expect(seen).toMatchObject({ status: 'expired', subStatus: 'detected' });
    const final = provider('final', 20_00000000n);
    const step = nextInvoiceStep(seen, final, LATE) as InvoiceStep;
    expect(essence(step)).toEqual(['expired', null, 0n, 0n, 0n, 'detected']);
    expect(step.reviewedCentavos).toBe(10_800n);
    expect(nextInvoiceStep(stepped(seen, step), final, LATE)).toBeNull();
  });
  test('a further payment that waits as a whole is one, also where a review completed the invoice', () => {
    const reviewed = { ...arrived(20_00000000n), inTimeUnits: 0n, quotedUnits: 0n, reviewedCentavos: 10_800n };
    const decided = { decidedCreditCentavos: 10_800n, decidedFeeCentavos: 108n };
    const before = { status: 'completed', subStatus: 'late', ...reviewed, ...decided, creditMaxCentavos: 0n } as const;
    const step = nextInvoiceStep(invoice(before), provider('final', 40_00000000n), LATE);
    expect(essence(step)).toEqual(['completed', 'paid_again', 0n, 0n, 0n, 'overpaid']);
  });
  test('the maximum is the account’s limit; without one it is the invoice’s amount, and R$ 10,000.00 at least', () => {
    expect([creditMax(10_800n, 20_000n), creditMax(10_800n, null), creditMax(5_000_000n, null)]).toEqual([
      20_000n,
      1_000_000n,
      5_000_000n,
    ]);
  });
});

test('a payment of exactly what was asked for is credited as the amount, to the centavo', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 8n),
      fc.bigInt(1_000n, 10n ** 14n),
      fc.constantFrom(0, 6, 8),
      (amountCentavos, quotePrice, decimals) => {
        const units = unitsOwed(amountCentavos, quotePrice, decimals);
        const state = invoice({ amountCentavos, quotePrice, units, fee: { bps: 0, fixedCentavos: 0n } });
        expect(nextInvoiceStep(state, provider('final', units), NOW)?.netCentavos).toBe(amountCentavos);
      },
    ),
  );
});

describe('an end without money', () => {
  test.each(['expired', 'cancelled', 'failed'] as const)('leaves the invoice %s, once', (status) => {
    expect(essence(nextInvoiceStep(invoice(), provider(status, 0n), NOW))).toEqual([status, null, 0n, 0n, 0n, status]);
    expect(nextInvoiceStep(invoice({ status }), provider(status, 0n), NOW)).toBeNull();
  });
  test('an invoice that its processor does not know expires a while after its time, not before', () => {
    const end = EXPIRES.getTime() + INVOICE_EXPIRY_GRACE_MS;
    expect(nextInvoiceStep(invoice(), null, new Date(end - 1))).toBeNull();
    expect(nextInvoiceStep(invoice(), null, new Date(end))).toMatchObject({ status: 'expired' });
    expect(nextInvoiceStep(invoice(completed), null, new Date(end))).toBeNull();
  });
  test('an invoice that its processor calls final without any money in it expires at its own end', () => {
    const said = provider('final', 0n);
    expect(nextInvoiceStep(invoice(), said, NOW)).toBeNull();
    expect(essence(nextInvoiceStep(invoice(), said, LATE))).toEqual(['expired', null, 0n, 0n, 0n, 'expired']);
    expect(nextInvoiceStep(invoice({ status: 'expired' }), said, LATE)).toBeNull();
    const seen = invoice({ subStatus: 'detected', receivedUnits: 20_00000000n, inTimeUnits: 20_00000000n });
    expect(nextInvoiceStep(seen, said, LATE)).toBeNull();
  });
  test('an invoice that its processor keeps open expires all the same, once nothing could come in time', () => {
    const open = provider('open', 0n);
    const last = new Date(EXPIRES.getTime() + IN_TIME_GRACE_MS);
    expect(nextInvoiceStep(invoice(), open, last)).toBeNull();
    expect(essence(nextInvoiceStep(invoice(), open, LATE))).toEqual(['expired', null, 0n, 0n, 0n, 'expired']);
    expect(nextInvoiceStep(invoice({ status: 'expired' }), open, LATE)).toBeNull();
    const seen = invoice({ subStatus: 'partial', receivedUnits: 5_00000000n, inTimeUnits: 5_00000000n });
    expect(nextInvoiceStep(seen, provider('open', 5_00000000n), LATE)).toBeNull();
    expect(nextInvoiceStep(seen, open, LATE)).toMatchObject({ status: 'pending', receivedUnits: 0n });
  });
  test.each(['expired', 'cancelled', 'failed'] as const)(
    'an ended invoice has nothing pending of a late payment that the network took back, and a processor calls %s',
    (said) => {
      const ended = invoice({ status: 'expired', expiresAt: EXPIRES });
      const seen = nextInvoiceStep(ended, provider('open', 20_00000000n), LATE) as InvoiceStep;
      expect(essence(seen)).toEqual(['expired', 'detected', 10_692n, 0n, 0n, 'detected']);
      const gone = nextInvoiceStep(stepped(ended, seen), provider(said, 0n), LATE) as InvoiceStep;
      expect(essence(gone)).toEqual(['expired', null, 0n, 0n, 0n, null]);
      expect(gone.receivedUnits).toBe(0n);
      expect(nextInvoiceStep(stepped(stepped(ended, seen), gone), provider(said, 0n), LATE)).toBeNull();
    },
  );
  test('an invoice whose money was seen does not expire while that may still become final at its quote', () => {
    const seen = invoice({ subStatus: 'detected', receivedUnits: 20_00000000n, inTimeUnits: 20_00000000n });
    const last = EXPIRES.getTime() + QUOTED_FINAL_WITHIN_MS;
    expect(nextInvoiceStep(seen, null, new Date(last))).toBeNull();
    const paid = nextInvoiceStep(seen, provider('final', 20_00000000n), new Date(last), MARKET);
    expect(essence(paid)).toEqual(['completed', null, 0n, 10_692n, 108n, 'completed']);
    expect(nextInvoiceStep(seen, null, new Date(last + 1))).toMatchObject({ status: 'expired', receivedUnits: 0n });
  });
});

describe('an invoice without a callback', () => {
  const next = (open: boolean, now: Date) => nextInvoiceCheck({ createdAt: CREATED, expiresAt: EXPIRES, open }, now);
  test('is checked soon, then every five minutes, and at its end', () => {
    expect(next(true, CREATED)).toEqual(new Date('2026-11-20T12:00:15Z'));
    expect(next(true, NOW)).toEqual(new Date('2026-11-20T12:15:00Z'));
    expect(next(true, new Date('2026-11-20T12:58:00Z'))).toEqual(EXPIRES);
    expect(next(true, EXPIRES)).toEqual(new Date('2026-11-20T13:01:00Z'));
  });
  test('is checked every five minutes while it is open after its end', () => {
    expect(next(true, new Date('2026-12-01T00:00:00Z'))).toEqual(new Date('2026-12-01T00:05:00Z'));
  });
  test('is checked for late payments a few times after it is over, then no more', () => {
    expect(next(false, NOW)).toEqual(new Date('2026-11-20T13:01:00Z'));
    expect(next(false, new Date('2026-11-20T13:01:00Z'))).toEqual(new Date('2026-11-20T14:01:00Z'));
    expect(next(false, new Date('2026-11-23T13:01:00Z'))).toBeNull();
  });
});
