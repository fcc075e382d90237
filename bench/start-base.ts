import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#db/connection/database.ts';
import { migrate } from '#db/connection/migrate.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox, type SecretBox } from '#domain/encryption/secret-box.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { openAccount } from '#services/accounts/open-account.ts';
import { SANDBOX_MOUNT } from '../src/config/sandbox-account.ts';
import { PLAIN_ACCOUNT } from '../src/testing/plain-account.ts';
import { type Child, startChild, startService, type Target } from './processes.ts';
import type { Closing } from './with-closing.ts';

/**
 * The prefix of the tests' folders: the next run of the tests removes what a killed bench left
 * behind, its server included.
 */
export const HOME_PREFIX = 'trilho-test-bench-';
/** No charge expires while it is measured. */
export const CHARGE_EXPIRY_SECONDS = 86_400;

/** What measured web processes need: a database, the simulated providers and an account. */
export type Base = {
  /** The folder of its files. */
  home: string;
  postgres: EmbeddedPostgres;
  masterKeys: string;
  /** The key of a verified test account without fees. */
  apiKey: string;
  sandboxUrl: string;
  /** The file that a process of this name writes its output to. */
  log(name: string): string;
  /**
   * Starts a web process under a name of its own, and stops it at the end. `variables` are added to
   * the environment that all web processes have.
   */
  startWeb(name: string, variables?: Readonly<Record<string, string>>): Promise<Target>;
  /** Starts the process that sends the load, and stops it at the end. */
  startLoad(): Child;
};

/** Starts the base in a folder of its own. `closing` gets the steps that stop and remove it. */
export async function startBase(closing: Closing): Promise<Base> {
  const home = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  closing.push(() => rmSync(home, { recursive: true, force: true }));
  // As root the database runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  const postgres = await startEmbeddedPostgres({ home, purpose: 'test' });
  closing.push(() => postgres.stop());

  const masterKeys = generateMasterKeys();
  const apiKey = await createAccount(postgres, createSecretBox(masterKeys));

  const log = (name: string) => join(home, `${name}.log`);
  const run = async (role: 'sandbox' | 'web', name: string, variables: Record<string, string>) => {
    const roleHome = join(home, name);
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
    const child = await startService({ home: roleHome, log: log(name), env, probed: role === 'web' });
    closing.push(child.stop);
    return child;
  };
  const sandbox = await run('sandbox', 'sandbox', {});
  const sandboxUrl = sandbox.url + SANDBOX_MOUNT;
  const variables = {
    // The load comes from one key.
    RATE_LIMIT_PER_KEY: '10000000',
    SANDBOX_URL: sandboxUrl,
    CHARGE_EXPIRY_SECONDS: String(CHARGE_EXPIRY_SECONDS),
    DEFAULT_LIMITS: 'none',
  };
  const startLoad = () => {
    const load = startChild('load.ts', { log: log('load') });
    closing.push(load.stop);
    return load;
  };
  const startWeb: Base['startWeb'] = (name, own = {}) => run('web', name, { ...variables, ...own });
  return { home, postgres, masterKeys, apiKey, sandboxUrl, log, startWeb, startLoad };
}

type Urls = { url: string; ownerUrl: string };

async function createAccount({ url, ownerUrl }: Urls, secretBox: SecretBox): Promise<string> {
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
