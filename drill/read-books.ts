import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ReceivedEvent } from './receiver.ts';

/** Rows of the service's database, read as its owner. */
export type OwnBooks = {
  transactions: {
    id: string;
    accountId: string;
    type: string;
    status: string;
    centavos: number;
    providerId: string | null;
    credits: number;
  }[];
  refunds: { id: string; accountId: string; status: string; centavos: number }[];
  /** What the PSP holds, as the ledger has it. */
  atPspCentavos: number;
  /** `id` as receivers see it. */
  events: { id: string; type: string; transactionId: string }[];
};

/** What the simulators have carried out. */
export type ProviderBooks = {
  /** PIX received, by the charge's txid. */
  payments: { txid: string; centavos: number }[];
  payouts: { txid: string; status: string; centavos: number }[];
  refunds: { txid: string; status: string; centavos: number }[];
  /** Our ids of crypto invoices for which at least the amount asked for has arrived. */
  fullyPaidInvoices: string[];
  /** By the processor's id; one row each time that money left. */
  cryptoPayouts: string[];
};

export type Books = { own: OwnBooks; provider: ProviderBooks; received: ReadonlyMap<string, ReceivedEvent> };

/** Counts what is in progress; zero when nothing will change by itself any more. */
const UNDERWAY = `SELECT
  (SELECT count(*) FROM transactions WHERE type IN ('pix_out', 'crypto_out') AND status IN ('pending', 'processing'))
  + (SELECT count(*) FROM transactions WHERE type = 'crypto_in' AND status = 'processing')
  + (SELECT count(*) FROM refunds WHERE status = 'pending')
  + (SELECT count(*) FROM deliveries WHERE status = 'pending')
  + (SELECT count(*) FROM inbound_callbacks WHERE processed_at IS NULL) AS count`;

/** Our ids of what was paid at the simulators and is not in these rows of ours. */
const PAID_THERE = `SELECT txid FROM sandbox.payments
  UNION SELECT replace(i.order_number, '-', '') FROM sandbox.crypto_invoices i
    JOIN sandbox.crypto_payments p ON p.invoice_id = i.id GROUP BY i.id HAVING sum(p.units) >= i.units`;
const OPEN_HERE = `SELECT replace(id::text, '-', '') AS txid FROM transactions
  WHERE type IN ('pix_in', 'crypto_in') AND status NOT IN ('paid', 'completed', 'refunded', 'review')`;

const POLL_MS = 250;

export type BookReader = {
  /**
   * Waits until nothing is in progress and everything that was paid is credited. Returns null, or
   * what is left after `withinMs`.
   */
  untilSettled(withinMs: number): Promise<string | null>;
  read(received: ReadonlyMap<string, ReceivedEvent>): Promise<Books>;
  close(): Promise<void>;
};

export function openBooks(urls: { own: string; provider: string }): BookReader {
  const [own, provider] = [urls.own, urls.provider].map((connectionString) => {
    const pool = new pg.Pool({ connectionString, max: 2, types: { getTypeParser } as never });
    pool.on('error', () => {});
    return pool;
  }) as [pg.Pool, pg.Pool];

  async function underway(): Promise<string | null> {
    const [count, paid, open] = await Promise.all([
      own.query<{ count: number }>(UNDERWAY),
      provider.query<{ txid: string }>(PAID_THERE),
      own.query<{ txid: string }>(OPEN_HERE),
    ]);
    const isOpen = new Set(open.rows.map(({ txid }) => txid));
    const uncredited = paid.rows.filter(({ txid }) => isOpen.has(txid));
    const left = count.rows[0]?.count ?? 0;
    if (left === 0 && uncredited.length === 0) return null;
    const first = uncredited[0] ? `, the first is ${uncredited[0].txid}` : '';
    return `${left} are on their way, ${uncredited.length} are paid and not credited${first}`;
  }

  return {
    async untilSettled(withinMs) {
      let left: string | null = 'the books were never read';
      for (const deadline = performance.now() + withinMs; left !== null && performance.now() < deadline; ) {
        left = await underway();
        if (left !== null) await sleep(POLL_MS);
      }
      return left;
    },
    async read(received) {
      const [transactions, refunds, atPsp, events] = await Promise.all([
        own.query<OwnBooks['transactions'][number]>(
          `SELECT t.id, t.account_id AS "accountId", t.type, t.status, t.amount_centavos AS centavos, t.provider_id AS "providerId",
             (SELECT count(*) FROM ledger_transfers l WHERE l.transaction_id = t.id AND l.kind = 'charge_paid') AS credits
           FROM transactions t`,
        ),
        own.query<OwnBooks['refunds'][number]>(
          `SELECT r.id, t.account_id AS "accountId", r.status, r.centavos FROM refunds r JOIN transactions t ON t.id = r.transaction_id`,
        ),
        own.query<{ centavos: number }>(
          `SELECT -coalesce(sum(e.amount_centavos), 0)::bigint AS centavos FROM ledger_entries e
           JOIN ledger_accounts a ON a.id = e.ledger_account_id WHERE a.kind = 'pix_settlement'`,
        ),
        own.query<OwnBooks['events'][number]>(
          `SELECT 'evt_' || replace(id::text, '-', '') AS id, type, transaction_id AS "transactionId" FROM events WHERE transaction_id IS NOT NULL`,
        ),
      ]);
      const [payments, payouts, returned, invoices, cryptoPayouts] = await Promise.all([
        provider.query<ProviderBooks['payments'][number]>(
          'SELECT txid, sum(amount_centavos)::bigint AS centavos FROM sandbox.payments GROUP BY txid',
        ),
        provider.query<ProviderBooks['payouts'][number]>(
          'SELECT id_envio AS txid, status, amount_centavos AS centavos FROM sandbox.payouts',
        ),
        provider.query<ProviderBooks['refunds'][number]>(
          'SELECT id AS txid, status, amount_centavos AS centavos FROM sandbox.refunds',
        ),
        provider.query<{ id: string }>(
          `SELECT i.order_number AS id FROM sandbox.crypto_invoices i JOIN sandbox.crypto_payments p ON p.invoice_id = i.id
           GROUP BY i.id HAVING sum(p.units) >= i.units`,
        ),
        provider.query<{ id: string }>('SELECT id FROM sandbox.crypto_payouts'),
      ]);
      return {
        own: {
          transactions: transactions.rows,
          refunds: refunds.rows,
          atPspCentavos: atPsp.rows[0]?.centavos ?? 0,
          events: events.rows,
        },
        provider: {
          payments: payments.rows,
          payouts: payouts.rows,
          refunds: returned.rows,
          fullyPaidInvoices: invoices.rows.map(({ id }) => id),
          cryptoPayouts: cryptoPayouts.rows.map(({ id }) => id),
        },
        received,
      };
    },
    async close() {
      await Promise.all([own.end(), provider.end()]);
    },
  };
}

/** The drills' amounts are far below 2^53. */
const getTypeParser = (oid: number, format?: 'text') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);
