import { createHash } from 'node:crypto';
import { sameSecret } from '../oauth.ts';
import type { CryptoShop, SandboxOptions } from '../sandbox-options.ts';
import { PlisioError } from './plisio-error.ts';

/**
 * A shop at the processor. Its key is in the options only: the tables know it by its id, which
 * stays the same when the key is replaced.
 */
export type Shop = { id: string; apiKey: string };

const shopOf = ({ name, apiKeys: [apiKey] }: CryptoShop): Shop => ({ id: shopId(name), apiKey });
/**
 * A merchant's shop has its name as its id, so that calls and invoices lead back to the merchant.
 */
const merchantShopOf = ({ name: id, apiKeys: [apiKey] }: CryptoShop): Shop => ({ id, apiKey });

const shopId = (name: string) => createHash('sha256').update(`shop:${name}`).digest('hex').slice(0, 24);

/** Returns the shop whose key this is. Throws a 401 PlisioError. */
export function requireShop({ cryptoShops = [], merchants }: SandboxOptions, apiKey: string | null): Shop {
  const isKeyOf = ({ apiKeys }: CryptoShop) => apiKeys.some((key) => sameSecret(apiKey ?? '', key));
  const merchant = merchants?.shop(apiKey?.split('.', 1)[0] ?? '');
  if (merchant && isKeyOf(merchant)) return merchantShopOf(merchant);
  const known = cryptoShops.find(isKeyOf);
  if (!known) throw new PlisioError(401, 'Unauthorized', 'Your request was made with invalid credentials.');
  return shopOf(known);
}

/** Finds a shop by its id; undefined when this sandbox does not have its key, or no longer. */
export function findShop({ cryptoShops = [], merchants }: SandboxOptions, id: string): Shop | undefined {
  const merchant = merchants?.shop(id);
  return merchant ? merchantShopOf(merchant) : cryptoShops.map(shopOf).find((shop) => shop.id === id);
}

/**
 * Replaces the shop ids of earlier versions, which were made from the key, by those made from the
 * name.
 */
export async function keepShops({ pool, cryptoShops = [] }: SandboxOptions): Promise<void> {
  for (const { name, apiKeys } of cryptoShops) {
    for (const table of ['crypto_invoices', 'crypto_payouts']) {
      await pool.query(`UPDATE sandbox.${table} SET shop_id = $1 WHERE shop_id = ANY ($2)`, [
        shopId(name),
        apiKeys.map(shopId),
      ]);
    }
  }
}
