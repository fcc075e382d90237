import type pg from 'pg';
import type { InvoiceStep } from '#domain/invoices/invoice-settlement.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { findInvoice, type InvoiceRow, settleInvoiceRow } from '../invoices/invoices.ts';
import { NOW, QUOTE, unitsOf } from './ledger-fixture.ts';

/** The changes of an invoice. */
export const invoiceChanges = (db: pg.Pool, now: () => Date = () => NOW) => ({
  async find(id: string): Promise<InvoiceRow> {
    const invoice = await findInvoice(db, id);
    if (!invoice) throw new Error('There is no such invoice.');
    return invoice;
  },

  /**
   * A step from what the caller saw of the invoice; with an event of its own where the step names
   * one.
   */
  settle: (invoice: InvoiceRow, step: InvoiceStep, event = eventOf(step)) =>
    settleInvoiceRow(db, {
      invoice,
      step: withIncrement(invoice, step),
      confirmationsNeeded: null,
      txHashes: [],
      paidAt: step.status === 'completed' ? now() : null,
      now: now(),
      event,
    }),

  /** Settles from what the invoice is at this moment. */
  async bring(id: string, step: InvoiceStep): Promise<boolean> {
    return this.settle(await this.find(id), step);
  },

  /** What a change of an invoice touches. */
  async look(id: string) {
    const { rows } = await db.query<{ transfers: number; events: string[] }>(
      `SELECT (SELECT count(*)::int FROM ledger_transfers WHERE transaction_id = $1) AS transfers,
        ARRAY(SELECT type FROM events WHERE transaction_id = $1 ORDER BY type) AS events`,
      [id],
    );
    const { status, subStatus, receivedUnits, creditedCentavos, creditedFeeCentavos } = await this.find(id);
    return { status, subStatus, receivedUnits, creditedCentavos, creditedFeeCentavos, ...rows[0] };
  },
});

const eventOf = ({ event }: InvoiceStep) =>
  event && { eventId: uuidv7(NOW), eventType: `crypto_in.${event}`, eventBody: '{}' };

/** What the step settles, as one increment at the fixture's quote. */
function withIncrement(invoice: InvoiceRow, step: InvoiceStep): InvoiceStep {
  const units = step.settledUnits - invoice.settledUnits;
  if (units <= 0n) return { ...step, settledUnits: invoice.settledUnits };
  const increment = {
    unitsBefore: invoice.settledUnits,
    units,
    price: QUOTE.price,
    isQuoted: false,
    creditedCentavos: step.netCentavos + step.feeCentavos - invoice.creditedCentavos,
    reviewedCentavos: step.reviewedCentavos - invoice.reviewedCentavos,
  };
  return { ...step, increments: [increment] };
}

/** Totals of a deposit in centavos; `arrived` is turned into units at the price of QUOTE. */
type Totals = { arrived: bigint; pending?: bigint; net?: bigint; fee?: bigint; reviewed?: bigint };

/** Seen, and not final. */
export const seen = ({ arrived, pending = arrived, net = 0n, fee = 0n }: Totals): InvoiceStep => ({
  status: 'pending',
  subStatus: arrived === 0n ? null : 'detected',
  receivedUnits: unitsOf(arrived),
  inTimeUnits: 0n,
  settledUnits: 0n,
  quotedUnits: 0n,
  pendingCentavos: pending,
  netCentavos: net,
  feeCentavos: fee,
  reviewedCentavos: 0n,
  confirmations: 0,
  increments: [],
  event: arrived === 0n ? null : 'detected',
});

/** Final: all that arrived is credited, less the fee and what is in review. */
export const credited = (
  totals: Totals,
  subStatus: InvoiceStep['subStatus'] = null,
  event: InvoiceStep['event'] = 'completed',
): InvoiceStep => ({
  ...seen(totals),
  status: 'completed',
  subStatus,
  settledUnits: unitsOf(totals.arrived),
  pendingCentavos: totals.pending ?? 0n,
  netCentavos: totals.net ?? totals.arrived - (totals.fee ?? 0n) - (totals.reviewed ?? 0n),
  reviewedCentavos: totals.reviewed ?? 0n,
  event,
});
