import {
  SANDBOX_MOUNT,
  sandboxClients,
  sandboxControlTokens,
  sandboxCryptoShop,
  sandboxMerchants,
} from '#config/sandbox-account.ts';
import { createSandboxPool } from '#db/connection/sandbox-pool.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import type { OpenedDatabase } from './open-database.ts';
import type { Startup } from './startup.ts';

/** Opens the sandbox with a clock. */
export type SandboxOpener = (clock: () => Date) => Sandbox;

/** The receiver that payers read in the sandbox's codes. */
const SANDBOX_RECEIVER = { merchantName: 'Trilho Sandbox', merchantCity: 'Sao Paulo' };

/** Prepares the sandbox on the installation's database, and returns the function that opens it. */
export function sandboxOpener(
  { env, closing, log, publicUrl, runs }: Startup,
  database: OpenedDatabase,
  box: SecretBox,
): SandboxOpener {
  const { url, lanes, sandboxConnections, onConnectionError } = database;
  const pool = runs('sandbox') ? createSandboxPool(url, sandboxConnections) : undefined;
  pool?.on('error', onConnectionError);
  closing.last('sandbox', () => pool?.end());
  return (clock) =>
    createSandbox({
      pool: pool ?? lanes.background.pool,
      clock,
      publicHost: new URL(publicUrl).host + SANDBOX_MOUNT,
      clients: sandboxClients(box),
      controlTokens: sandboxControlTokens(box),
      cryptoShops: [sandboxCryptoShop(box)],
      ...(env.demo && { merchants: sandboxMerchants(box) }),
      ...SANDBOX_RECEIVER,
      log,
    });
}
