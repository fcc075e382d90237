import type { Each, SecretBox } from '#domain/encryption/secret-box.ts';

/** Under which path a process that runs the sandbox serves it. */
export const SANDBOX_MOUNT = '/sandbox';

/**
 * This installation's account at the sandbox PSP. Its secrets come from the master key: the sandbox
 * and those who call it agree without a word, also in different processes. The sandbox accepts
 * those of every key that is present.
 */
export const sandboxClient = (box: SecretBox) => clientWith(box.derive(CLIENT));
export const sandboxClients = (box: SecretBox) => box.deriveAll(CLIENT).map(clientWith);

const CLIENT = 'sandbox-client';
const clientWith = (clientSecret: string) => ({
  clientId: 'trilho',
  clientSecret,
  pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  document: '12345678000195',
});

/** Where the sandbox's other parts are, below its own address. */
export const SANDBOX_PATHS = {
  plisio: '/plisio/api/v1',
  binance: '/binance',
  mercadoBitcoin: '/mercado-bitcoin',
  foxbit: '/foxbit',
  shopWebhooks: '/shop/webhooks',
} as const;

/** This installation's key at the sandbox's crypto processor. */
export const sandboxCryptoKey = (box: SecretBox): string => box.derive(CRYPTO_KEY);
/** Its shop there, with the keys that open it. */
export const sandboxCryptoShop = (box: SecretBox) => ({ name: 'trilho', apiKeys: box.deriveAll(CRYPTO_KEY) });
const CRYPTO_KEY = 'sandbox-crypto';

/** What opens the sandbox's control side (pay, switches). */
export const sandboxControlToken = (box: SecretBox): string => box.derive(CONTROL);
export const sandboxControlTokens = (box: SecretBox): Each<string> => box.deriveAll(CONTROL);
const CONTROL = 'sandbox-control';
