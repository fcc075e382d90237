import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { centavosWorth } from '../quotes/crypto-units.ts';
import { creditMax, QUOTED_FINAL_WITHIN_MS } from './invoice-pricing.ts';
import {
  IN_TIME_GRACE_MS,
  type InvoiceState,
  type InvoiceStep,
  isFinal,
  needsMarketPrice,
  nextInvoiceStep,
  type ProviderInvoice,
} from './invoice-settlement.ts';

/**
 * Whatever is paid and whenever, and wherever the market goes: an invoice is never a free option on
 * its own quote.
 */

const CREATED = Date.parse('2026-11-20T12:00:00Z');
const EXPIRES = CREATED + 60 * 60_000;
/** R$ 540,000.00 a coin, for an invoice of R$ 500.00. */
const QUOTE = 540_000n * 10n ** 8n;
const UNITS = 92_593n;
const AMOUNT = 50_000n;

/**
 * One event, and a check after it. The times between checks reach past the invoice's end and past
 * everything that counts after it.
 */
type Moment = {
  afterMs: number;
  /** A payment that is sent and not final yet, in percent of the requested quantity. */
  paidPercent: bigint;
  /** The first payment that is not final is confirmed, or is taken back by its sender. */
  network: 'nothing' | 'confirms' | 'drops';
  /** The market's price in percent of the quote; null: there is no price. */
  marketPercent: bigint | null;
  /** The processor's status when no payment waits for the network. */
  word: 'final' | 'expired' | 'open';
};

const aMoment: fc.Arbitrary<Moment> = fc.record({
  afterMs: fc.oneof(fc.nat({ max: 10 * 60_000 }), fc.nat({ max: 3 * 60 * 60_000 })),
  paidPercent: fc.oneof(fc.constant(0n), fc.constant(100n), fc.bigInt(0n, 2_000n)),
  network: fc.constantFrom('nothing', 'confirms', 'confirms', 'drops'),
  marketPercent: fc.option(fc.bigInt(1n, 300n), { freq: 6 }),
  word: fc.constantFrom('final', 'final', 'expired', 'open'),
});
const aRun = fc.record({
  moments: fc.array(aMoment, { minLength: 1, maxLength: 14, size: 'max' }),
  toleranceBps: fc.constantFrom(0, 50, 1_000),
  limitCentavos: fc.option(fc.bigInt(0n, 300_000n)),
  fee: fc.record({ bps: fc.nat({ max: 500 }), fixedCentavos: fc.bigInt(0n, 500n) }),
});
type Run = typeof aRun extends fc.Arbitrary<infer T> ? T : never;
type Decide = typeof nextInvoiceStep;

/**
 * Plays a run. Returns what was credited and reviewed, and the most that a fair trade would have
 * given.
 */
function play(run: Run, decide: Decide) {
  let state = start(run);
  let now = CREATED;
  let waiting: bigint[] = [];
  let confirmed = 0n;
  let fairAtMarket = 0n;
  let seenInTime = 0n;
  for (const moment of run.moments) {
    now += moment.afterMs;
    if (moment.paidPercent > 0n) waiting.push((UNITS * moment.paidPercent) / 100n);
    if (moment.network === 'confirms') {
      confirmed += total(waiting);
      waiting = [];
    } else if (moment.network === 'drops') waiting = [];

    const provider: ProviderInvoice = {
      status: waiting.length > 0 || (confirmed === 0n && moment.word === 'final') ? 'open' : moment.word,
      receivedUnits: confirmed + total(waiting),
      confirmations: 0,
    };
    const at = new Date(now);
    const market = moment.marketPercent === null ? null : (QUOTE * moment.marketPercent) / 100n;
    const { receivedUnits } = provider;
    if (now <= EXPIRES + IN_TIME_GRACE_MS || receivedUnits < seenInTime) seenInTime = receivedUnits;

    const needed = needsMarketPrice(state, provider, at);
    const step = decide(state, provider, needed ? market : null, at);
    if (!step) continue;
    expectSteady(state, step);
    if (step.quotedUnits > state.quotedUnits) must(step.quotedUnits <= seenInTime);
    fairAtMarket += fairOf(state, step, market, now);
    state = { ...state, ...step, ...creditedBy(step) };
    // A final payment is priced at once if there is a price.
    if (isFinal(provider) && (market !== null || !needed)) {
      const dust = state.receivedUnits - state.settledUnits;
      must(centavosWorth(dust, QUOTE) <= 1n || market === null || centavosWorth(dust, market) === 0n);
    }
  }
  return { state, fairAtMarket };
}

/**
 * What this step settles, at the worse price: the invoice's quote applies only to the requested
 * quantity seen in time.
 */
function fairOf(before: InvoiceState, step: InvoiceStep, market: bigint | null, now: number): bigint {
  const asked = (UNITS * BigInt(10_000 + before.toleranceBps)) / 10_000n;
  const mayBeQuoted = now <= EXPIRES + QUOTED_FINAL_WITHIN_MS ? asked : before.quotedUnits;
  const quoted = step.quotedUnits - before.quotedUnits;
  must(step.quotedUnits <= mayBeQuoted || quoted === 0n);
  const other = step.settledUnits - before.settledUnits - quoted;
  const worse = market === null || market > QUOTE ? QUOTE : market;
  must(other === 0n || market !== null);
  const exact = step.quotedUnits === UNITS || before.quotedUnits === UNITS ? 1n : 0n;
  const worthQuoted = centavosWorth(step.quotedUnits, QUOTE) - centavosWorth(before.quotedUnits, QUOTE);
  return worthQuoted + exact + centavosWorth(other, worse);
}

/** Totals only grow, and nothing is lost: what the step settles is credited or in review. */
function expectSteady(before: InvoiceState, step: InvoiceStep): void {
  const { creditedCentavos } = creditedBy(step);
  must(creditedCentavos >= before.creditedCentavos && step.feeCentavos >= before.creditedFeeCentavos);
  must(step.netCentavos >= before.creditedCentavos - before.creditedFeeCentavos);
  must(step.reviewedCentavos >= before.reviewedCentavos && step.pendingCentavos >= 0n);
  must(step.settledUnits >= before.settledUnits && step.settledUnits <= step.receivedUnits);
  must(step.quotedUnits <= step.inTimeUnits || step.quotedUnits === before.quotedUnits);
  let next = before.settledUnits;
  for (const increment of step.increments) {
    must(increment.unitsBefore === next);
    next += increment.units;
    if (!increment.isQuoted) {
      const worth = centavosWorth(increment.units, increment.price);
      must(increment.creditedCentavos + increment.reviewedCentavos === worth);
    }
  }
  must(step.settledUnits === next);
}

const creditedBy = (step: InvoiceStep) => ({
  creditedCentavos: step.netCentavos + step.feeCentavos,
  creditedFeeCentavos: step.feeCentavos,
});
/** Replaces `expect`, which is too slow for the hundred thousand checks of a thousand runs. */
function must(holds: boolean): void {
  if (!holds) throw new Error('The run is not fair.');
}

const total = (units: bigint[]) => units.reduce((sum, each) => sum + each, 0n);

const start = ({ toleranceBps, limitCentavos, fee }: Run): InvoiceState => ({
  status: 'pending',
  subStatus: null,
  amountCentavos: AMOUNT,
  units: UNITS,
  receivedUnits: 0n,
  inTimeUnits: 0n,
  settledUnits: 0n,
  quotedUnits: 0n,
  creditedCentavos: 0n,
  creditedFeeCentavos: 0n,
  decidedCreditCentavos: 0n,
  decidedFeeCentavos: 0n,
  reviewedCentavos: 0n,
  confirmations: 0,
  quotePrice: QUOTE,
  fee,
  toleranceBps,
  expiresAt: new Date(EXPIRES),
  creditMaxCentavos: creditMax(AMOUNT, limitCentavos),
});

/** The rules that hold in every run. */
function expectFair(run: Run, decide: Decide): void {
  const { state, fairAtMarket } = play(run, decide);
  must(state.creditedCentavos + state.reviewedCentavos <= fairAtMarket);
  const asked = (UNITS * BigInt(10_000 + run.toleranceBps)) / 10_000n;
  const promised = centavosWorth(asked, QUOTE) + 1n;
  const most = state.creditMaxCentavos > promised ? state.creditMaxCentavos : promised;
  must(state.creditedCentavos <= most);
  // A payment that came too late has no claim to the quote.
  if (state.quotedUnits === 0n) must(state.creditedCentavos <= state.creditMaxCentavos);
}

describe('over any path of payments, times and prices', () => {
  test('an invoice gives no more than a fair trade at the worse price, keeps its maximum, and loses nothing', () => {
    fc.assert(
      fc.property(aRun, (run) => expectFair(run, nextInvoiceStep)),
      { numRuns: 2_000 },
    );
  });

  test('a rule that credits everything at the invoice’s quote is detected', () => {
    const atTheQuote: Decide = (invoice, provider, market, now) =>
      nextInvoiceStep({ ...invoice, creditMaxCentavos: 10n ** 12n }, provider, market && QUOTE, now);
    expect(() =>
      fc.assert(
        fc.property(aRun, (run) => expectFair(run, atTheQuote)),
        { numRuns: 2_000 },
      ),
    ).toThrow('Property failed');
  });

  test('a payment in many parts is worth no more than in one, and at most a centavo a part less', () => {
    const parts = fc.array(fc.bigInt(1n, 200n), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(parts, fc.bigInt(1n, 150n), (percents, marketPercent) => {
        const late = new Date(EXPIRES + 24 * 60 * 60_000);
        const market = (QUOTE * marketPercent) / 100n;
        const paid = (amounts: bigint[]) => {
          let state = start({
            moments: [],
            toleranceBps: 50,
            limitCentavos: 10n ** 9n,
            fee: { bps: 0, fixedCentavos: 0n },
          });
          let received = 0n;
          for (const amount of amounts) {
            received += amount;
            const provider = { status: 'expired', receivedUnits: received, confirmations: 0 } as const;
            const step = nextInvoiceStep(state, provider, market, late);
            if (step) state = { ...state, ...step, ...creditedBy(step) };
          }
          return state.creditedCentavos;
        };
        const amounts = percents.map((percent) => (UNITS * percent) / 100n);
        const lost = paid([total(amounts)]) - paid(amounts);
        expect(lost >= 0n && lost <= BigInt(amounts.length)).toBe(true);
      }),
    );
  });
});
