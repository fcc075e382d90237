import { assert, bigInt, constantFrom, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unitsOwed } from './crypto-units.ts';
import {
  INVOICE_EXPIRY_GRACE_MS,
  type InvoiceFacts,
  type InvoiceStep,
  nextInvoiceCheck,
  nextInvoiceStep,
  type ProviderInvoice,
} from './invoice-settlement.ts';

const CREATED = new Date('2026-11-20T12:00:00Z');
const EXPIRES = new Date('2026-11-20T13:00:00Z');
const NOW = new Date('2026-11-20T12:10:00Z');
/** R$ 5.40 */
const PRICE = 540_000_000n;

/** R$ 108.00 at R$ 5.40: 20 USDT; 1 % of fee. */
const invoice = (more: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  status: 'pending',
  subStatus: null,
  amountCentavos: 10_800n,
  units: 20_00000000n,
  receivedUnits: 0n,
  creditedCentavos: 0n,
  creditedFeeCentavos: 0n,
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
const completed = {
  status: 'completed',
  receivedUnits: 20_00000000n,
  creditedCentavos: 10_800n,
  creditedFeeCentavos: 108n,
} as const;

/** What a test says of a step: the money and the words. */
const essence = (step: InvoiceStep | null) =>
  step && [step.status, step.subStatus, step.pendingCentavos, step.netCentavos, step.feeCentavos, step.event];

describe('while it can still be paid', () => {
  test('nothing seen is no step', () => {
    expect(nextInvoiceStep(invoice(), provider('open', 0n), NOW)).toBeNull();
  });
  test('all of it seen stands in pending, without the fee, and nothing is credited', () => {
    const step = nextInvoiceStep(invoice(), provider('open', 20_00000000n), NOW);
    expect(essence(step)).toEqual(['pending', 'detected', 10_692n, 0n, 0n, 'detected']);
  });
  test('a part seen stands in pending as what it is worth', () => {
    const step = nextInvoiceStep(invoice(), provider('open', 10_00000000n), NOW);
    expect(essence(step)).toEqual(['pending', 'partial', 5_346n, 0n, 0n, 'detected']);
  });
  test('another confirmation is noted without an event', () => {
    const seen = invoice({ subStatus: 'detected', receivedUnits: 20_00000000n });
    expect(nextInvoiceStep(seen, provider('open', 20_00000000n, 1), NOW)).toMatchObject({
      confirmations: 1,
      event: null,
    });
  });
  test('what the network took back leaves pending', () => {
    const seen = invoice({ subStatus: 'detected', receivedUnits: 20_00000000n });
    expect(essence(nextInvoiceStep(seen, provider('open', 0n), NOW))).toEqual(['pending', null, 0n, 0n, 0n, null]);
  });
});

describe('what has arrived is credited at the invoice’s own quote', () => {
  test.each<[string, ProviderInvoice, unknown[]]>([
    ['exactly', provider('final', 20_00000000n), ['completed', null, 0n, 10_692n, 108n, 'completed']],
    [
      'a little less, within tolerance',
      provider('final', 19_95000000n),
      ['completed', null, 0n, 10_665n, 108n, 'completed'],
    ],
    [
      'a little more, within tolerance',
      provider('final', 20_10000000n),
      ['completed', null, 0n, 10_745n, 109n, 'completed'],
    ],
    ['half', provider('expired', 10_00000000n), ['completed', 'underpaid', 0n, 5_346n, 54n, 'underpaid']],
    ['double', provider('final', 40_00000000n), ['completed', 'overpaid', 0n, 21_384n, 216n, 'overpaid']],
    [
      'in full, after the end',
      provider('expired', 20_00000000n),
      ['completed', 'late', 0n, 10_692n, 108n, 'completed'],
    ],
  ])('%s', (_, said, expected) => {
    expect(essence(nextInvoiceStep(invoice(), said, NOW))).toEqual(expected);
  });

  test.each(['expired', 'cancelled', 'failed'] as const)(
    'after it was %s as well: money that arrived is never lost',
    (status) => {
      const step = nextInvoiceStep(invoice({ status }), provider('final', 20_00000000n), NOW);
      expect(essence(step)).toEqual(['completed', 'late', 0n, 10_692n, 108n, 'completed']);
    },
  );

  test('a second payment adds what it is worth', () => {
    const step = nextInvoiceStep(invoice(completed), provider('final', 30_00000000n), NOW);
    expect(essence(step)).toEqual(['completed', 'paid_again', 0n, 16_038n, 162n, 'overpaid']);
  });
  test('a second payment that is not confirmed yet stands in pending, beside what is credited', () => {
    const step = nextInvoiceStep(invoice(completed), provider('open', 30_00000000n), NOW);
    expect(essence(step)).toEqual(['completed', null, 5_346n, 10_692n, 108n, null]);
  });
  test('a second payment that was seen before it is confirmed is told as one all the same', () => {
    const seen = invoice({ ...completed, receivedUnits: 30_00000000n });
    const step = nextInvoiceStep(seen, provider('final', 30_00000000n), NOW);
    expect(essence(step)).toEqual(['completed', 'paid_again', 0n, 16_038n, 162n, 'overpaid']);
  });
  test('a second payment that the network took back leaves pending, and what is credited stays', () => {
    const seen = invoice({ ...completed, receivedUnits: 30_00000000n });
    const step = nextInvoiceStep(seen, provider('final', 20_00000000n), NOW);
    expect(essence(step)).toEqual(['completed', null, 0n, 10_692n, 108n, null]);
  });
  test('the rest of an underpaid invoice, however late, makes it whole', () => {
    const half = { status: 'completed', subStatus: 'underpaid', receivedUnits: 10_00000000n } as const;
    const underpaid = invoice({ ...half, creditedCentavos: 5_400n, creditedFeeCentavos: 54n });
    expect(essence(nextInvoiceStep(underpaid, provider('expired', 20_00000000n), NOW))).toEqual([
      'completed',
      'late',
      0n,
      10_692n,
      108n,
      'completed',
    ]);
  });
  test('the same again is no step, and no late word of its processor takes anything back', () => {
    for (const said of [
      provider('final', 20_00000000n),
      provider('expired', 20_00000000n),
      provider('final', 10_00000000n),
      provider('expired', 0n),
      provider('cancelled', 0n),
      provider('failed', 20_00000000n),
    ]) {
      expect(nextInvoiceStep(invoice(completed), said, NOW)).toBeNull();
    }
  });

  test('never shrinks, whatever the processor says in whatever order', () => {
    const said = record({
      status: constantFrom<ProviderInvoice['status']>('open', 'final', 'expired', 'cancelled', 'failed'),
      received: bigInt(0n, 50_00000000n),
    });
    assert(
      property(said, said, said, bigInt(0n, 500n), (...run) => {
        const fee = { bps: Number(run.at(-1)), fixedCentavos: 7n };
        let facts = invoice({ fee });
        for (const { status, received } of run.slice(0, 3) as {
          status: ProviderInvoice['status'];
          received: bigint;
        }[]) {
          const step = nextInvoiceStep(facts, provider(status, received), NOW);
          if (!step) continue;
          const credited = step.netCentavos + step.feeCentavos;
          expect(credited >= facts.creditedCentavos && step.feeCentavos >= facts.creditedFeeCentavos).toBe(true);
          expect(step.pendingCentavos >= 0n && step.netCentavos >= 0n).toBe(true);
          facts = { ...facts, ...step, creditedCentavos: credited, creditedFeeCentavos: step.feeCentavos };
        }
      }),
    );
  });

  test('to the letter of what was asked, it is the amount to the centavo', () => {
    assert(
      property(
        bigInt(1n, 10n ** 8n),
        bigInt(1_000n, 10n ** 14n),
        constantFrom(0, 6, 8),
        (amountCentavos, quotePrice, decimals) => {
          const units = unitsOwed(amountCentavos, quotePrice, decimals);
          const facts = invoice({ amountCentavos, quotePrice, units, fee: { bps: 0, fixedCentavos: 0n } });
          expect(nextInvoiceStep(facts, provider('final', units), NOW)?.netCentavos).toBe(amountCentavos);
        },
      ),
    );
  });
});

describe('an end without money', () => {
  test.each(['expired', 'cancelled', 'failed'] as const)('%s', (status) => {
    expect(essence(nextInvoiceStep(invoice(), provider(status, 0n), NOW))).toEqual([status, null, 0n, 0n, 0n, status]);
    expect(nextInvoiceStep(invoice({ status }), provider(status, 0n), NOW)).toBeNull();
  });
  test('an invoice that its processor does not know expires a while after its time, not before', () => {
    const end = EXPIRES.getTime() + INVOICE_EXPIRY_GRACE_MS;
    expect(nextInvoiceStep(invoice(), null, new Date(end - 1))).toBeNull();
    expect(nextInvoiceStep(invoice(), null, new Date(end))).toMatchObject({ status: 'expired' });
    expect(nextInvoiceStep(invoice(completed), null, new Date(end))).toBeNull();
  });
});

describe('when it is looked at without a callback', () => {
  const next = (open: boolean, now: Date) => nextInvoiceCheck({ createdAt: CREATED, expiresAt: EXPIRES, open }, now);
  test('soon, then every five minutes, and at its end', () => {
    expect(next(true, CREATED)).toEqual(new Date('2026-11-20T12:00:15Z'));
    expect(next(true, NOW)).toEqual(new Date('2026-11-20T12:15:00Z'));
    expect(next(true, new Date('2026-11-20T12:58:00Z'))).toEqual(new Date('2026-11-20T13:01:00Z'));
  });
  test('open after its end, it goes on: an end is never missed', () => {
    expect(next(true, new Date('2026-12-01T00:00:00Z'))).toEqual(new Date('2026-12-01T00:05:00Z'));
  });
  test('afterwards a few times for late payments, then not any more', () => {
    expect(next(false, NOW)).toEqual(new Date('2026-11-20T13:01:00Z'));
    expect(next(false, new Date('2026-11-20T13:01:00Z'))).toEqual(new Date('2026-11-20T14:01:00Z'));
    expect(next(false, new Date('2026-11-23T13:01:00Z'))).toBeNull();
  });
});
