/** GET /balances/{cid} (plisio.net/documentation, "Balance"): a shop's balance of one currency. */
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { eightDecimals } from '../eight-decimals.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import type { Reply } from '../sandbox-request.ts';
import { findInvoices, stateOf } from './invoice-records.ts';
import { networkFeeUnits } from './networks.ts';
import { notFound } from './plisio-error.ts';
import { commissionUnits } from './presentation.ts';
import type { Shop } from './shops.ts';

/**
 * The shop's own coins. They keep the balance positive; only `crypto.payout` makes a withdrawal
 * fail for lack of coins.
 */
const OWN_UNITS = 1_000_000n * 10n ** 8n;

/**
 * Answers the shop's own coins, plus what finished invoices have received less the commission,
 * minus what was sent and the network's fees. An invoice made by a test clock that is ahead counts
 * once it is that time here, as in the lists of a period. Throws a 404 PlisioError for an unknown
 * currency.
 */
export async function getBalance(options: SandboxOptions, shop: Shop, code: string): Promise<Reply> {
  if (!isCurrencyCode(code)) throw notFound('Currency not found');
  const now = options.clock();
  const { rows } = await options.pool.query<{ paid: string[]; sent: string; payouts: string }>({
    name: 'sandbox_crypto_balance',
    text: `SELECT
        ARRAY (SELECT id FROM sandbox.crypto_invoices invoice
          WHERE shop_id = $1 AND currency = $2 AND created_at <= $3
            AND EXISTS (SELECT FROM sandbox.crypto_payments WHERE invoice_id = invoice.id)) AS paid,
        coalesce(sum(units), 0)::text AS sent, count(*)::text AS payouts
      FROM sandbox.crypto_payouts WHERE shop_id = $1 AND currency = $2 AND completes_at <= $3`,
    values: [shop.id, code, now],
  });
  const { paid, sent, payouts } = rows[0] ?? { paid: [], sent: '0', payouts: '0' };
  const received = (await findInvoices(options.pool, shop.id, paid)).map((invoice) => {
    const { status, confirmedUnits } = stateOf(invoice, now);
    const isOver = status !== 'new' && status !== 'pending' && confirmedUnits > 0n;
    return isOver ? confirmedUnits - commissionUnits(invoice.units) : 0n;
  });
  const spent = BigInt(sent) + BigInt(payouts) * networkFeeUnits(code);
  const units = received.reduce((total, one) => total + one, OWN_UNITS) - spent;
  const data = { psys_cid: code, currency: CURRENCIES[code].asset, balance: eightDecimals(units) };
  return { status: 200, body: { status: 'success', data } };
}
