/**
 * GET /operations/withdraw (plisio.net/documentation, "Withdrawal"). There is no idempotency key:
 * each request is a payout.
 */
import type { Pool, PoolClient } from 'pg';
import { CURRENCIES, type CurrencyCode, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { parseWallet } from '#domain/withdrawals/wallet-address.ts';
import { eightDecimals } from '../eight-decimals.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { type Reply, SILENCE } from '../sandbox-request.ts';
import { readSwitch } from '../switches.ts';
import { newId, readAmount, secondsAfter } from './invoices.ts';
import { withdrawalMagic } from './magic.ts';
import { networkFeeUnits, networkOf } from './networks.ts';
import { requireParameters, unprocessable } from './plisio-error.ts';
import { brlRate, unixSeconds } from './presentation.ts';
import type { Shop } from './shops.ts';

/** How long a payout stays pending, so that this state can be seen. */
const PENDING_SECONDS = 1;

type Payout = {
  id: string;
  shopId: string;
  currency: CurrencyCode;
  units: bigint;
  wallet: string;
  txHash: string;
  createdAt: Date;
  completesAt: Date;
};

/**
 * 201 with the pending payout. The amount's cents decide how it ends, else the switch
 * `crypto.payout`. Throws PlisioErrors: 400, 422.
 */
export async function withdraw(options: SandboxOptions, shop: Shop, query: URLSearchParams): Promise<Reply> {
  const now = options.clock();
  const payout = readRequest(shop, query, now);
  const mode = withdrawalMagic(payout.units, payout.currency) ?? (await readSwitch(options.pool, 'crypto.payout'));
  if (mode === 'refused') throw unprocessable('balance', 'Insufficient funds on balance', 116);
  if (mode === 'silent_lost') return SILENCE;
  await insertPayout(options.pool, payout);
  if (mode === 'silent_done') return SILENCE;
  return { status: 201, body: { status: 'success', data: presentPayoutOperation(payout, now) } };
}

export async function insertPayout(db: Pool | PoolClient, payout: Payout): Promise<void> {
  await db.query({
    name: 'sandbox_insert_crypto_payout',
    text: `INSERT INTO sandbox.crypto_payouts (id, shop_id, currency, units, wallet, tx_hash, created_at, completes_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      payout.id,
      payout.shopId,
      payout.currency,
      String(payout.units),
      payout.wallet,
      payout.txHash,
      payout.createdAt,
      payout.completesAt,
    ],
  });
}

export async function findPayouts(pool: Pool, shopId: string, ids: string[]): Promise<Payout[]> {
  const { rows } = await pool.query<Omit<Payout, 'units'> & { units: string }>({
    name: 'sandbox_find_crypto_payouts',
    text: `SELECT id, shop_id AS "shopId", currency, units, wallet, tx_hash AS "txHash", created_at AS "createdAt",
             completes_at AS "completesAt"
           FROM sandbox.crypto_payouts WHERE shop_id = $1 AND id = ANY ($2)`,
    values: [shopId, ids],
  });
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/**
 * The data of /operations/{id} for a payout. `amount` is what the receiver gets; the network's fee
 * comes on top in `sum`. The hash is known once the payout is done.
 */
export function presentPayoutOperation(payout: Payout, now: Date) {
  const { id, shopId, currency, units, wallet, txHash, createdAt, completesAt } = payout;
  const isDone = completesAt <= now;
  const fee = eightDecimals(networkFeeUnits(currency));
  const { explorer, confirmations } = networkOf(currency);
  return {
    user_id: 1,
    shop_id: shopId,
    type: 'cash_out',
    status: isDone ? 'completed' : 'pending',
    id,
    psys_cid: currency,
    currency: CURRENCIES[currency].asset,
    source_currency: 'BRL',
    source_rate: brlRate(currency),
    fee,
    wallet_hash: wallet,
    params: { fee: { plan: 'normal', value: fee } },
    created_at_utc: unixSeconds(createdAt),
    finished_at_utc: isDone ? unixSeconds(completesAt) : null,
    amount: eightDecimals(units),
    sum: eightDecimals(units + networkFeeUnits(currency)),
    pending_sum: 0,
    confirmations: isDone ? confirmations : 0,
    tx_url: isDone ? explorer + txHash : null,
    tx_id: isDone ? [txHash] : [],
    tx: isDone ? [{ txid: txHash, value: eightDecimals(units), block: null, processed: true }] : [],
    expire_at_utc: null,
  };
}

function readRequest(shop: Shop, query: URLSearchParams, now: Date): Payout {
  const { to, amount, type } = requireParameters(query, 'to', 'amount', 'type');
  const currency = query.get('psys_cid') ?? query.get('currency') ?? '';
  if (!isCurrencyCode(currency)) throw unprocessable('currency', 'Currency is not available', 102);
  if (type !== 'cash_out') throw unprocessable('type', 'Only cash_out is supported', 108);
  const wallet = parseWallet(to, currency);
  if (wallet === null) throw unprocessable('to', 'Invalid address', 103);
  return {
    id: newId(now),
    shopId: shop.id,
    currency,
    units: readAmount(amount, currency),
    wallet,
    txHash: networkOf(currency).newTxHash(),
    createdAt: now,
    completesAt: secondsAfter(now, PENDING_SECONDS),
  };
}
