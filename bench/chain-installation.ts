import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#db/connection/database.ts';
import { createSecretBox, type SecretBox } from '#domain/encryption/secret-box.ts';
import { startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { openAccount } from '#services/accounts/open-account.ts';
import { readMasterKeys } from '../src/config/master-keys.ts';
import { readPidFile } from '../src/config/pid-file.ts';
import { sandboxControlToken } from '../src/config/sandbox-account.ts';
import { PLAIN_ACCOUNT } from '../src/testing/plain-account.ts';
import type { ChainOrder, ChainResult } from './chain-load.ts';
import { startChild, startService } from './processes.ts';
import { HOME_PREFIX } from './start-base.ts';
import { type Closing, withClosing } from './with-closing.ts';

/** As many requests as a busy merchant's systems send side by side. */
export const CLIENTS = 32;
const WARM_UP_SECONDS = 5;

/** An installation as `npm start` starts it, and the load on it. */
export type Chain = {
  /** The id of the web process. */
  pid: number;
  ownerUrl: string;
  run(order: Pick<ChainOrder, 'perSecond' | 'seconds'> & Partial<Pick<ChainOrder, 'firstHangs'>>): Promise<ChainResult>;
};

/**
 * Starts an installation with so many merchants and warms it up; runs `work`, then stops and
 * removes the installation.
 */
export const withChain = <T>(
  merchants: number,
  onProgress: (text: string) => void,
  work: (chain: Chain) => Promise<T>,
) =>
  withClosing(async (closing) => {
    const load = startChild('chain-load.ts', { log: '/dev/null' });
    closing.push(load.stop);
    const receiverUrl = await load.ask<string>({ open: true });
    const { pid, ownerUrl, ...installation } = await start(receiverUrl, merchants, closing);
    const run: Chain['run'] = (order) =>
      load.ask<ChainResult>({ ...installation, clients: CLIENTS, firstHangs: false, ...order } satisfies ChainOrder);
    onProgress('Warming up');
    await run({ perSecond: null, seconds: WARM_UP_SECONDS });
    return work({ pid, ownerUrl, run });
  });

async function start(receiverUrl: string, merchants: number, closing: Closing) {
  const home = makeHome(closing);
  const service = await startService({
    home,
    log: join(home, 'service.log'),
    // The load comes from few keys.
    env: { LOG_LEVEL: 'info', RATE_LIMIT_PER_KEY: '10000000' },
  });
  closing.push(service.stop);
  const server = await startEmbeddedPostgres({ home, purpose: 'command' });
  closing.push(() => server.stop());
  const secretBox = createSecretBox(readMasterKeys({ masterKeys: undefined, home }));
  const apiKeys = await openAccounts(server.url, secretBox, receiverUrl, merchants);
  const running = readPidFile(home);
  if (!running?.sandboxUrl) throw new Error('The service has no sandbox.');
  const { pid, sandboxUrl } = running;
  const { ownerUrl } = server;
  return { url: service.url, sandboxUrl, controlToken: sandboxControlToken(secretBox), apiKeys, pid, ownerUrl };
}

/** A data folder that is removed at the end. */
export function makeHome(closing: Closing): string {
  const home = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  closing.push(() => rmSync(home, { recursive: true, force: true }));
  // As root the database runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  return home;
}

/** Opens the accounts, each with its own path for webhooks. Returns their API keys. */
async function openAccounts(url: string, secretBox: SecretBox, receiverUrl: string, merchants: number) {
  const db = openDatabase(url, { max: 1 });
  try {
    const apiKeys: string[] = [];
    for (let number = 0; number < merchants; number++) {
      const { apiKey } = await openAccount(
        { db, secretBox, settings: { demo: true }, clock: () => new Date() },
        {
          ...PLAIN_ACCOUNT,
          name: `Padaria ${number}`,
          email: `chain-${number}@example.com`,
          webhookUrl: `${receiverUrl}/${number}`,
        },
      );
      apiKeys.push(apiKey);
    }
    return apiKeys;
  } finally {
    await db.close();
  }
}
