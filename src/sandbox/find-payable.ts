import type { Pool } from 'pg';
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

type Row = {
  clock_id: string | null;
  ahead_ms: string | null;
  is_invoice: boolean;
  switches: Record<string, string> | null;
} & (PayableCob | { [Key in keyof PayableCob]: null });

/** Finds what can be paid with this txid, and all that a payment depends on, in one round trip. */
export async function findPayable(
  pool: Pool,
  { txid, chave }: { txid: string; chave?: string | undefined },
): Promise<Payable> {
  const { rows } = await pool.query<Row>({
    name: 'sandbox_find_payable',
    text: `SELECT c.id AS clock_id, c.ahead_ms::text, cob.document, cob.chave, cob.status, cob.expires_at, cob.request,
             EXISTS (SELECT FROM sandbox.crypto_invoices WHERE order_number = $3) AS is_invoice,
             (SELECT jsonb_object_agg(name, value) FROM sandbox.switches) AS switches
           FROM (SELECT) AS always
             LEFT JOIN sandbox.clock_subjects s ON s.subject = $1
             LEFT JOIN sandbox.clocks c ON c.id = s.clock_id
             LEFT JOIN sandbox.cobs cob ON cob.txid = $1 AND ($2::text IS NULL OR cob.chave = $2)`,
    values: [txid, chave ?? null, txidToUuid(txid)],
  });
  const [first] = rows;
  return {
    clock: first?.clock_id ? { id: first.clock_id, aheadMs: Number(first.ahead_ms) } : null,
    isInvoice: first?.is_invoice ?? false,
    cobs: rows.filter((row) => row.document !== null),
    switches: toSwitches(first?.switches ?? {}),
  };
}
