import { createHash } from 'node:crypto';
import type { Each, SecretBox } from '#domain/encryption/secret-box.ts';
import { isUuid } from '#domain/values/uuid.ts';

/** The path under which a process that runs the sandbox serves it. */
export const SANDBOX_MOUNT = '/sandbox';

/**
 * This installation's account at the sandbox PSP. Its secrets are derived from the master key, so
 * that the sandbox and its callers have the same ones, also in different processes. The sandbox
 * accepts those of every key that is present.
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

/** The token for the sandbox's control API (pay, switches). */
export const sandboxControlToken = (box: SecretBox): string => box.derive(CONTROL);
export const sandboxControlTokens = (box: SecretBox): Each<string> => box.deriveAll(CONTROL);
const CONTROL = 'sandbox-control';

/**
 * The credentials that the sandbox gives a live account of a demonstration, as a PSP and a crypto
 * processor give theirs: a client with a PIX key and books of its own, and a shop.
 */
export const sandboxMerchant = (box: SecretBox, accountId: string) => ({
  ...merchantClientWith(accountId, box.derive(merchantPurpose(accountId))),
  cryptoKey: merchantCryptoKey(accountId, box.derive(merchantCryptoPurpose(accountId))),
});

/** These credentials as the sandbox accepts them, derived again: it stores none of them. */
export const sandboxMerchants = (box: SecretBox) => ({
  clients(clientId: string) {
    const accountId = clientId.startsWith(MERCHANT_CLIENT) ? clientId.slice(MERCHANT_CLIENT.length) : '';
    if (!isUuid(accountId)) return [];
    return box.deriveAll(merchantPurpose(accountId)).map((secret) => merchantClientWith(accountId, secret));
  },
  shop(accountId: string) {
    if (!isUuid(accountId)) return null;
    const [first, ...others] = box
      .deriveAll(merchantCryptoPurpose(accountId))
      .map((secret) => merchantCryptoKey(accountId, secret)) as Each<string>;
    return { name: accountId, apiKeys: [first, ...others] as Each<string> };
  },
});

const MERCHANT_CLIENT = 'loja-';
const merchantPurpose = (accountId: string) => `${CLIENT}:${accountId}`;
const merchantCryptoPurpose = (accountId: string) => `${CRYPTO_KEY}:${accountId}`;
const merchantCryptoKey = (accountId: string, secret: string) => `${accountId}.${secret}`;
const merchantClientWith = (accountId: string, clientSecret: string) => {
  const hash = createHash('sha256').update(accountId).digest('hex');
  return {
    clientId: MERCHANT_CLIENT + accountId,
    clientSecret,
    // Of the form of a random key (EVP), which is a UUID.
    pixKey: `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`,
    // Not a real document: it only keeps the books of accounts apart.
    document: String(BigInt(`0x${hash}`) % 10n ** 14n).padStart(14, '0'),
  };
};
