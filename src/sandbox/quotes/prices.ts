import type { Asset } from '#domain/quotes/currencies.ts';

/**
 * The price of one coin in the sandbox, in 10^-8 BRL. The prices are fixed, so that a merchant's
 * own test can know the crypto amount of every deposit beforehand, and the processor can compute an
 * amount in reais from the crypto alone.
 */
export const PRICES: Record<Asset, bigint> = {
  USDT: 5_40000000n,
  USDC: 5_40000000n,
  BTC: 540_000_00000000n,
  ETH: 18_900_00000000n,
  LTC: 540_00000000n,
  DOGE: 1_08000000n,
  BNB: 3_240_00000000n,
  SOL: 810_00000000n,
  TRX: 1_62000000n,
  TON: 16_20000000n,
};

export const PRICED_ASSETS = Object.keys(PRICES) as Asset[];
