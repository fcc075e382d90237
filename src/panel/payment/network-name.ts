import type { Network } from '#domain/quotes/currencies.ts';

/**
 * Networks as wallets and exchanges list them: the token standard is what most people choose by.
 */
const NAMES: Record<Network, string> = {
  bitcoin: 'Bitcoin',
  litecoin: 'Litecoin',
  dogecoin: 'Dogecoin',
  ethereum: 'Ethereum (ERC20)',
  bsc: 'BNB Smart Chain (BEP20)',
  tron: 'Tron (TRC20)',
  solana: 'Solana',
  ton: 'TON',
};

/**
 * Returns the name of a network for a payer; one that is newer than this page keeps the server's
 * name.
 */
export const networkName = (network: string): string =>
  Object.hasOwn(NAMES, network) ? NAMES[network as Network] : network;
