import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '#db/connection/database.ts';
import { migrate } from '#db/connection/migrate.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { openAccount } from '#services/accounts/open-account.ts';
import { SANDBOX_MOUNT, sandboxClient } from '../src/config/sandbox-account.ts';
import { PLAIN_ACCOUNT } from '../src/testing/plain-account.ts';
import type { BaselineSettings } from './baseline.ts';
import { type Child, startChild, startService, type Target } from './processes.ts';
import { type Closing, withClosing } from './with-closing.ts';

/**
 * The prefix of the tests' folders: their next run removes what a killed bench left behind, its
 * server included.
 */
export const HOME_PREFIX = 'trilho-test-bench-';
const CHECKOUT = join(import.meta.dirname, '..');
const NEXT = 'node_modules/next/dist/bin/next';
const ORDINARY = 'bench/ordinary';
const CHARGE_EXPIRY_SECONDS = 86_400;

/** Everything that is measured, each in a process of its own, on one database. */
export type Installation = {
  service: Target;
  baseline: Target;
  /** The same work as an ordinary application does it (bench/ordinary). */
  ordinary: Target;
  load: Child;
  /** Of a verified test account without fees. */
  apiKey: string;
  databaseUrl: string;
  /** As the owner of its tables. */
  ownerUrl: string;
  masterKeys: string;
  /** Where its files are. */
  home: string;
};

/**
 * Starts the installation, works with it, and stops and removes it whatever happens, a Ctrl-C
 * included.
 */
export const withInstallation = (
  work: (installation: Installation) => Promise<void>,
  onProgress: (text: string) => void,
): Promise<void> => withClosing(async (closing) => work(await start(closing, onProgress)));

async function start(closing: Closing, onProgress: (text: string) => void): Promise<Installation> {
  const home = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  closing.push(() => rmSync(home, { recursive: true, force: true }));
  // As root the database runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  const postgres = await startEmbeddedPostgres({ home, purpose: 'test' });
  closing.push(() => postgres.stop());

  const masterKeys = generateMasterKeys();
  const secretBox = createSecretBox(masterKeys);
  const apiKey = await createAccount(postgres, secretBox);

  const log = (name: string) => join(home, `${name}.log`);
  const run = async (role: 'sandbox' | 'web', variables: Record<string, string>) => {
    const roleHome = join(home, role);
    mkdirSync(roleHome);
    const env = {
      ROLE: role,
      DATABASE_URL: postgres.url,
      DEMO: 'true',
      DATABASE_OWNER_URL: postgres.ownerUrl,
      MASTER_KEYS: masterKeys,
      LOG_LEVEL: 'info',
      ...variables,
    };
    const child = await startService({ home: roleHome, log: log(role), env, probed: role === 'web' });
    closing.push(child.stop);
    return child;
  };
  const sandbox = await run('sandbox', {});
  const sandboxUrl = sandbox.url + SANDBOX_MOUNT;
  const variables = {
    // The load comes from one key.
    RATE_LIMIT_PER_KEY: '10000000',
    SANDBOX_URL: sandboxUrl,
    CHARGE_EXPIRY_SECONDS: String(CHARGE_EXPIRY_SECONDS),
    DEFAULT_LIMITS: 'none',
  };
  const service = await run('web', variables);

  const baseline = startChild('baseline.ts', { log: log('baseline'), probed: true });
  closing.push(baseline.stop);
  const settings: BaselineSettings = {
    databaseUrl: postgres.url,
    sandboxUrl,
    ...sandboxClient(secretBox),
    expirySeconds: CHARGE_EXPIRY_SECONDS,
  };
  const url = `http://127.0.0.1:${await baseline.ask<number>(settings)}`;

  onProgress('Building the ordinary application');
  // Built into the checkout, where it is nobody's source.
  closing.push(() => rmSync(join(CHECKOUT, ORDINARY, '.next'), { recursive: true, force: true }));
  await promisify(execFile)(process.execPath, [NEXT, 'build', ORDINARY], {
    cwd: CHECKOUT,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const application = startChild('ordinary-server.ts', {
    log: log('ordinary'),
    probed: true,
    env: {
      DATABASE_URL: postgres.url,
      SANDBOX_URL: sandboxUrl,
      PIX_CLIENT_ID: settings.clientId,
      PIX_CLIENT_SECRET: settings.clientSecret,
      PIX_KEY: settings.pixKey,
      CHARGE_EXPIRY_SECONDS: String(CHARGE_EXPIRY_SECONDS),
    },
  });
  closing.push(application.stop);
  const ordinary = { ...application, url: `http://127.0.0.1:${await application.ask<number>({})}` };

  const load = startChild('load.ts', { log: log('load') });
  closing.push(load.stop);
  const { url: databaseUrl, ownerUrl } = postgres;
  return { service, baseline: { ...baseline, url }, ordinary, load, apiKey, databaseUrl, ownerUrl, masterKeys, home };
}

type Urls = { url: string; ownerUrl: string };

async function createAccount({ url, ownerUrl }: Urls, secretBox: ReturnType<typeof createSecretBox>): Promise<string> {
  const db = openDatabase(url, { max: 1 });
  await migrate(db, ownerUrl);
  const settings = { demo: true, chargeExpirySeconds: CHARGE_EXPIRY_SECONDS };
  const { apiKey } = await openAccount(
    { db, secretBox, settings, clock: () => new Date() },
    {
      ...PLAIN_ACCOUNT,
      name: 'Sapataria Passo Certo',
      email: 'bench@example.com',
    },
  );
  await db.close();
  return apiKey;
}
