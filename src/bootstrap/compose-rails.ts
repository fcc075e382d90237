import type { Environment } from '#config/environment.ts';
import { SANDBOX_PATHS, sandboxClient, sandboxCryptoKey } from '#config/sandbox-account.ts';
import { listCredentials } from '#db/accounts/own-credentials.ts';
import type { Database } from '#db/connection/database.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import type { OnProviderCall } from '#rails/call-trace.ts';
import { createPlisioRail } from '#rails/crypto/plisio-rail.ts';
import { type OwnCredentials, readOwnCredentials } from '#rails/own-credentials.ts';
import { createApiPixRail, type RailCall } from '#rails/pix/api-pix-rail.ts';
import { BINANCE_BASE_URL, createBinance } from '#rails/quotes/binance.ts';
import { createFoxbit, FOXBIT_BASE_URL } from '#rails/quotes/foxbit.ts';
import { createMercadoBitcoin, MERCADO_BITCOIN_BASE_URL } from '#rails/quotes/mercado-bitcoin.ts';
import { createPriceAggregator, type PriceAggregator } from '#rails/quotes/price-aggregator.ts';
import { createRailRegistry, type RailRegistry } from '#rails/registry.ts';
import { createOwnRails } from './own-rails.ts';

/**
 * How long after a send a provider's "there is no such payout" is not believed: a queue of its own
 * may still hold it. Long for a real provider, which promises nothing. The sandbox executes a
 * request within five seconds for a connection to its database and ten for a statement, or never.
 */
const LOST_AFTER_MS = { provider: 10 * 60_000, sandbox: 20_000 };
/**
 * The sandbox is local, and keeps the connection open when a switch makes it not answer: no need to
 * wait long.
 */
const SANDBOX_TIMEOUT_MS = 3_000;

/**
 * Builds every rail of this installation; an account's own credentials are opened when they are
 * first used.
 */
export function composeRails(parts: {
  env: Environment;
  sandboxUrl: string | undefined;
  db: Database;
  secretBox: SecretBox;
  clock: () => Date;
  onCall: (call: RailCall) => void;
  onProviderCall?: OnProviderCall | undefined;
  onQuoteRejection: (reason: string) => void;
}): RailRegistry {
  const { env, sandboxUrl, db, secretBox, clock, onCall, onProviderCall } = parts;
  const observed = { clock, onCall, onProviderCall };
  const psp = env.psp
    ? createApiPixRail({
        name: 'psp',
        ...env.psp,
        ...(env.payoutUrl && { payouts: { baseUrl: env.payoutUrl, lostAfterMs: LOST_AFTER_MS.provider } }),
        ...observed,
      })
    : null;
  const plisio = env.plisio
    ? createPlisioRail({ name: 'plisio', ...env.plisio, lostAfterMs: LOST_AFTER_MS.provider, ...observed })
    : null;

  const own = createOwnRails({
    db,
    secretBox,
    sandboxUrl: env.demo ? (sandboxUrl ?? null) : null,
    isDemo: env.demo,
    lostAfterMs: LOST_AFTER_MS,
    sandboxTimeoutMs: SANDBOX_TIMEOUT_MS,
    observed,
  });

  return createRailRegistry({
    sandbox: sandboxUrl ? sandboxRails(sandboxUrl, parts) : null,
    psp,
    plisio,
    quotes: env.demo
      ? null
      : priceAggregator(parts, {
          binance: BINANCE_BASE_URL,
          mercadoBitcoin: MERCADO_BITCOIN_BASE_URL,
          foxbit: FOXBIT_BASE_URL,
        }),
    demo: env.demo,
    clock,
    openOwn: own.open,
    listOwn: (kind) => listCredentials(db, kind),
    closeOwn: own.close,
    checkOwn: own.check,
    installation: installationCredentials(env),
  });
}

const installationCredentials = ({ psp, plisio }: Environment): OwnCredentials[] => [
  ...(psp ? [readOwnCredentials('api_pix', psp)] : []),
  ...(plisio ? [readOwnCredentials('plisio', plisio)] : []),
];

type Parts = Parameters<typeof composeRails>[0];

function sandboxRails(sandboxUrl: string, parts: Parts) {
  const { secretBox, clock, onCall, onProviderCall } = parts;
  const observed = { clock, onCall, onProviderCall };
  const shared = {
    lostAfterMs: LOST_AFTER_MS.sandbox,
    callTimeoutMs: SANDBOX_TIMEOUT_MS,
    isSandbox: true,
    ...observed,
  };
  const pix = createApiPixRail({
    name: 'sandbox',
    baseUrl: sandboxUrl,
    ...sandboxClient(secretBox),
    payouts: { baseUrl: sandboxUrl, lostAfterMs: LOST_AFTER_MS.sandbox },
    disputes: { baseUrl: sandboxUrl },
    keyOwners: { baseUrl: sandboxUrl },
    ...shared,
  });
  const baseUrl = sandboxUrl + SANDBOX_PATHS.plisio;
  const crypto = createPlisioRail({ name: 'sandbox-crypto', baseUrl, apiKey: sandboxCryptoKey(secretBox), ...shared });
  const quotes = priceAggregator(parts, {
    binance: sandboxUrl + SANDBOX_PATHS.binance,
    mercadoBitcoin: sandboxUrl + SANDBOX_PATHS.mercadoBitcoin,
    foxbit: sandboxUrl + SANDBOX_PATHS.foxbit,
  });
  return { pix, crypto, quotes };
}

function priceAggregator(
  { clock, onQuoteRejection }: Parts,
  urls: { binance: string; mercadoBitcoin: string; foxbit: string },
): PriceAggregator {
  return createPriceAggregator({
    sources: [
      createBinance({ baseUrl: urls.binance, clock }),
      createMercadoBitcoin({ baseUrl: urls.mercadoBitcoin, clock }),
      createFoxbit({ baseUrl: urls.foxbit, clock }),
    ],
    clock,
    onRejection: onQuoteRejection,
  });
}
