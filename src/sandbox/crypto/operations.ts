/**
 * GET /operations and /operations/{id}: a shop's invoices and withdrawals
 * (plisio.net/documentation, "Transactions").
 */
import type { SandboxOptions } from '../sandbox-options.ts';
import type { Reply } from '../sandbox-request.ts';
import { findInvoices } from './invoice-records.ts';
import { isWhiteLabel } from './invoices.ts';
import { findPayouts, presentPayoutOperation } from './payouts.ts';
import { notFound } from './plisio-error.ts';
import { presentInvoiceOperation } from './presentation.ts';
import type { Shop } from './shops.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
/** No one reads more pages; the limit keeps the offset a number that PostgreSQL accepts. */
const MAX_PAGE = 1_000_000;

export async function getOperation(options: SandboxOptions, shop: Shop, id: string): Promise<Reply> {
  const [operation] = await present(options, shop, [id]);
  if (!operation) throw notFound('Operation not found');
  return { status: 200, body: { status: 'success', data: operation } };
}

/**
 * GET /operations: newest first. Filters: `type`, `currency` (our code), `search` (a whole order
 * number or network hash).
 */
export async function listOperations(options: SandboxOptions, shop: Shop, query: URLSearchParams): Promise<Reply> {
  const limit = Math.min(positiveInteger(query.get('limit')) ?? DEFAULT_LIMIT, MAX_LIMIT);
  const page = Math.min(positiveInteger(query.get('page')) ?? 1, MAX_PAGE);
  const filters = [query.get('type'), query.get('currency'), query.get('search')].map((text) => text || null);
  if (filters.some((text) => text?.includes('\0'))) throw notFound('Operation not found');
  const { rows } = await options.pool.query<{ ids: string[]; total: number }>({
    name: 'sandbox_list_crypto_operations',
    text: `
      WITH found AS (
        SELECT id, created_at FROM sandbox.crypto_invoices invoice
        WHERE shop_id = $1 AND coalesce($2, 'invoice') = 'invoice' AND currency = coalesce($3, currency)
          AND ($4::text IS NULL OR order_number = $4 OR EXISTS (
            SELECT 1 FROM sandbox.crypto_payments WHERE invoice_id = invoice.id AND tx_hash = $4))
        UNION ALL
        SELECT id, created_at FROM sandbox.crypto_payouts
        WHERE shop_id = $1 AND coalesce($2, 'cash_out') = 'cash_out' AND currency = coalesce($3, currency)
          AND ($4::text IS NULL OR tx_hash = $4)
      )
      SELECT (SELECT count(*)::int FROM found) AS total,
        ARRAY (SELECT id FROM found ORDER BY created_at DESC, id DESC LIMIT $5 OFFSET $6) AS ids`,
    values: [shop.id, ...filters, limit, (page - 1) * limit],
  });
  const { ids, total: totalCount } = rows[0] ?? { ids: [], total: 0 };
  const operations = await present(options, shop, ids);
  const pageCount = Math.ceil(totalCount / limit);
  const data = {
    operations,
    _links: {},
    _meta: { totalCount, pageCount, currentPage: page, perPage: limit },
  };
  return { status: 200, body: { status: 'success', data } };
}

/**
 * Returns the operations with these ids, in their order; without white-label most fields are left
 * out.
 */
async function present(options: SandboxOptions, shop: Shop, ids: string[]): Promise<object[]> {
  const now = options.clock();
  const [invoices, payouts, whiteLabel] = await Promise.all([
    findInvoices(options.pool, shop.id, ids),
    findPayouts(options.pool, shop.id, ids),
    isWhiteLabel(options),
  ]);
  const byId = new Map(
    [
      ...invoices.map((invoice) => presentInvoiceOperation(invoice, now)),
      ...payouts.map((payout) => presentPayoutOperation(payout, now)),
    ].map((operation) => [operation.id, operation]),
  );
  return ids.flatMap((id) => {
    const operation = byId.get(id);
    if (!operation) return [];
    const { user_id, shop_id, type, status, tx_url } = operation;
    return [whiteLabel ? operation : { user_id, shop_id, type, status, tx_url, id }];
  });
}

function positiveInteger(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
