import type { TestService } from '../../src/testing/test-service.ts';

/** What the providers carried out, and what our books say about it, in centavos. */
const BOOKS: { what: string; theirs: string; ours: string }[] = [
  {
    what: 'PIX sent',
    theirs: `SELECT coalesce(sum(amount_centavos), 0) AS sum, count(*) AS count FROM sandbox.payouts WHERE status = 'REALIZADO'`,
    ours: `SELECT coalesce(sum(net_centavos), 0) AS sum, count(*) AS count FROM transactions WHERE type = 'pix_out' AND status = 'paid'`,
  },
  {
    what: 'PIX given back',
    theirs: `SELECT coalesce(sum(amount_centavos), 0) AS sum, count(*) AS count FROM sandbox.refunds WHERE status = 'DEVOLVIDO'`,
    ours: `SELECT coalesce(sum(centavos), 0) AS sum, count(*) AS count FROM refunds WHERE status = 'completed'`,
  },
  {
    what: 'PIX received',
    theirs: `SELECT coalesce(sum(amount_centavos), 0) AS sum, count(*) AS count FROM sandbox.payments`,
    ours: `SELECT coalesce(sum(e.amount_centavos), 0) AS sum, count(DISTINCT t.id) AS count
      FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id AND e.amount_centavos > 0
      WHERE t.kind IN ('charge_paid', 'suspense')`,
  },
];

/** Waits until nothing is in progress. Returns where the books of both sides differ. */
export async function bookDiscrepancies(service: TestService): Promise<string[]> {
  const { pool } = service.deps.db;
  await service.until('every withdrawal and refund has ended', async () => {
    const { rows } = await pool.query(
      `SELECT (SELECT count(*) FROM transactions WHERE type IN ('pix_out', 'crypto_out') AND status IN ('pending', 'processing'))
         + (SELECT count(*) FROM refunds WHERE status NOT IN ('completed', 'failed')) AS open`,
    );
    return Number(rows[0].open) === 0 || null;
  });
  const discrepancies: string[] = [];
  for (const { what, theirs, ours } of BOOKS) {
    const [one, other] = await Promise.all([pool.query(theirs), pool.query(ours)]);
    const [provider, own] = [one.rows[0], other.rows[0]];
    if (String(provider.sum) !== String(own.sum) || String(provider.count) !== String(own.count)) {
      discrepancies.push(
        `${what}: the provider has ${provider.count} of ${provider.sum} centavos, we have ${own.count} of ${own.sum}`,
      );
    }
  }
  return discrepancies;
}
