import { batchArrays, batched } from '#db/connection/batched.ts';
import { txidToUuid } from '#domain/values/uuid.ts';
import type { PayableCob } from './pix/pay.ts';
import { type Switches, toSwitches } from './switches.ts';
import type { TestClock } from './test-clocks.ts';

/** What an order to pay needs to know. */
export type Payable = {
  /** Null: the sandbox's own time. */
  clock: TestClock | null;
  /** Whether a crypto invoice has this txid. */
  isInvoice: boolean;
  /** The charges with this txid, one for each receiver. */
  cobs: PayableCob[];
  switches: Switches;
};

type Asked = { txid: string; chave?: string | undefined };

type Row = {
  asked_at: string;
  clock_id: string | null;
  ahead_ms: string | null;
  is_invoice: boolean;
  switches: Record<string, string> | null;
} & (PayableCob | { [Key in keyof PayableCob]: null });

/** Finds what can be paid with this txid, and all that a payment depends on, in one round trip. */
export const findPayable = batched<Asked, Payable>(async (pool, asked) => {
  const { rows } = await pool.query<Row>({
    name: 'sandbox_find_payables',
    // Each is looked up as one: see findCharge().
    text: `SELECT asked.at::text AS asked_at, c.id AS clock_id, c.ahead_ms::text,
             cob.document, cob.chave, cob.status, cob.expires_at, cob.request,
             EXISTS (
               SELECT FROM sandbox.crypto_invoices i WHERE i.order_number = asked.order_number OFFSET 0
             ) AS is_invoice,
             (SELECT jsonb_object_agg(name, value) FROM sandbox.switches) AS switches
           FROM unnest(${batchArrays('text', 'text', 'text')}) WITH ORDINALITY AS asked (txid, chave, order_number, at)
             LEFT JOIN LATERAL (
               SELECT c.id, c.ahead_ms FROM sandbox.clock_subjects s JOIN sandbox.clocks c ON c.id = s.clock_id
               WHERE s.subject = asked.txid OFFSET 0
             ) AS c ON true
             LEFT JOIN LATERAL (
               SELECT document, chave, status, expires_at, request FROM sandbox.cobs
               WHERE cobs.txid = asked.txid AND (asked.chave IS NULL OR cobs.chave = asked.chave) OFFSET 0
             ) AS cob ON true`,
    values: [
      asked.map(({ txid }) => txid),
      asked.map(({ chave }) => chave ?? null),
      asked.map(({ txid }) => txidToUuid(txid)),
    ],
  });
  const found = Map.groupBy(rows, (row) => Number(row.asked_at) - 1);
  return asked.map((_, at) => toPayable(found.get(at) ?? []));
});

function toPayable(rows: readonly Row[]): Payable {
  const [first] = rows;
  return {
    clock: first?.clock_id ? { id: first.clock_id, aheadMs: Number(first.ahead_ms) } : null,
    isInvoice: first?.is_invoice ?? false,
    cobs: rows.filter((row) => row.document !== null),
    switches: toSwitches(first?.switches ?? {}),
  };
}
