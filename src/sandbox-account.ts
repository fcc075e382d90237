import type { SecretBox } from '#domain/secret-box.ts';

/** Under which path a process that runs the sandbox serves it. */
export const SANDBOX_MOUNT = '/sandbox';

/**
 * This installation's account at the sandbox PSP. Its secrets come from the master key: the sandbox and those who call it
 * agree without a word, also in different processes.
 */
export const sandboxClient = (box: SecretBox) => ({
  clientId: 'trilho',
  clientSecret: box.derive('sandbox-client'),
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
export const sandboxCryptoKey = (box: SecretBox): string => box.derive('sandbox-crypto');

/** What opens the sandbox's control side (pay, switches). */
export const sandboxControlToken = (box: SecretBox): string => box.derive('sandbox-control');
