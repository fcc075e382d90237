import { createHash } from 'node:crypto';
import { sameSecret } from '../oauth.ts';
import type { SandboxOptions } from '../world.ts';
import { PlisioError } from './plisio-error.ts';

/** A store at the processor. Its key is in the options only: the books know it by its id. */
export type Shop = { id: string; apiKey: string };

const shopOf = (apiKey: string): Shop => ({
  id: createHash('sha256').update(`shop:${apiKey}`).digest('hex').slice(0, 24),
  apiKey,
});

/** The store whose key this is. Throws a 401 PlisioError. */
export function requireShop({ cryptoApiKeys = [] }: SandboxOptions, apiKey: string | null): Shop {
  const known = cryptoApiKeys.find((key) => sameSecret(apiKey ?? '', key));
  if (!known) throw new PlisioError(401, 'Unauthorized', 'Your request was made with invalid credentials.');
  return shopOf(known);
}

/** Undefined for a store that this sandbox was not given the key of, or no longer. */
export const findShop = ({ cryptoApiKeys = [] }: SandboxOptions, id: string): Shop | undefined =>
  cryptoApiKeys.map(shopOf).find((shop) => shop.id === id);
