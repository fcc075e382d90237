import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { readMasterKeys } from '../src/config/master-keys.ts';
import { readPidFile } from '../src/config/pid-file.ts';
import { sandboxControlToken } from '../src/config/sandbox-account.ts';
import type { ChainOrder, ChainResult } from './chain-load.ts';
import { startChild, startService } from './processes.ts';
import { type Closing, withClosing } from './with-closing.ts';

/** As many as a busy merchant's systems send side by side. */
const CLIENTS = 32;
/** A pace at which the machine has time left: what a payment takes, and not what a queue takes. */
const PACE_PER_SECOND = 60;
const WARM_UP_SECONDS = 5;

/** Long enough for a queue that grows to be seen growing. */
const SECONDS = 60;

/** What is wanted on two cores: webhooks a second at full speed, and milliseconds at the pace. */
export const CHAIN_WANTED = { perSecond: 400, webhookP50Ms: 25, webhookP99Ms: 100 };

export type ChainRates = { paced: ChainResult; full: ChainResult };

const CHECKOUT = join(import.meta.dirname, '..');

/**
 * The service as `npm start` starts it, from a charge to its webhook: at a pace, and as fast as the
 * clients go.
 */
export const measureChain = (onProgress: (text: string) => void): Promise<ChainRates> =>
  withClosing(async (closing) => {
    const load = startChild('chain-load.ts', { log: '/dev/null' });
    closing.push(load.stop);
    const webhookUrl = await load.ask<string>({ open: true });
    const installation = await start(webhookUrl, closing);
    const run = (order: Pick<ChainOrder, 'perSecond' | 'seconds'>) =>
      load.ask<ChainResult>({ ...installation, clients: CLIENTS, ...order } satisfies ChainOrder);
    onProgress('Warming up');
    await run({ perSecond: null, seconds: WARM_UP_SECONDS });
    onProgress(`Measuring: ${PACE_PER_SECOND} charges a second, ${SECONDS} s`);
    const paced = await run({ perSecond: PACE_PER_SECOND, seconds: SECONDS });
    onProgress(`Measuring: ${CLIENTS} clients, ${SECONDS} s`);
    const full = await run({ perSecond: null, seconds: SECONDS });
    return { paced, full };
  });

async function start(webhookUrl: string, closing: Closing) {
  const home = mkdtempSync(join(tmpdir(), 'trilho-test-bench-'));
  closing.push(() => rmSync(home, { recursive: true, force: true }));
  // As root the database runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  const service = await startService({
    home,
    log: join(home, 'service.log'),
    // The load comes from one key.
    env: { LOG_LEVEL: 'info', RATE_LIMIT_PER_KEY: '10000000' },
  });
  closing.push(service.stop);
  const account = await promisify(execFile)(
    process.execPath,
    [
      ...['src/cli/main.ts', 'account', 'create', '--name', 'Padaria São José', '--email', 'chain@example.com'],
      ...['--document', '12345678909', '--kyc', 'approved', '--mode', 'test', '--webhook-url', webhookUrl, '--json'],
    ],
    { cwd: CHECKOUT, env: { ...process.env, TRILHO_HOME: home } },
  );
  const { api_key: apiKey } = JSON.parse(account.stdout) as { api_key: string };
  const secretBox = createSecretBox(readMasterKeys({ masterKeys: undefined, home }));
  const sandboxUrl = readPidFile(home)?.sandboxUrl;
  if (!sandboxUrl) throw new Error('The service has no sandbox.');
  return { url: service.url, sandboxUrl, controlToken: sandboxControlToken(secretBox), apiKey };
}
