import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { sandboxClient } from '../src/config/sandbox-account.ts';
import type { BaselineSettings } from './baseline.ts';
import { type Child, startChild, type Target } from './processes.ts';
import { CHARGE_EXPIRY_SECONDS, startBase } from './start-base.ts';
import { type Closing, withClosing } from './with-closing.ts';

const CHECKOUT = join(import.meta.dirname, '..');
const NEXT = 'node_modules/next/dist/bin/next';
const ORDINARY = 'bench/ordinary';

/** The servers that are measured, each in a process of its own, on one database. */
export type Installation = {
  service: Target;
  baseline: Target;
  /** An ordinary application that does the same work (bench/ordinary). */
  ordinary: Target;
  load: Child;
  /** The key of a verified test account without fees. */
  apiKey: string;
  databaseUrl: string;
  /** The URL for the owner of its tables. */
  ownerUrl: string;
  masterKeys: string;
  /** The folder of its files. */
  home: string;
};

/**
 * Starts the installation and runs `work`, then stops and removes it whatever happens, also after a
 * Ctrl-C.
 */
export const withInstallation = (
  work: (installation: Installation) => Promise<void>,
  onProgress: (text: string) => void,
): Promise<void> => withClosing(async (closing) => work(await start(closing, onProgress)));

async function start(closing: Closing, onProgress: (text: string) => void): Promise<Installation> {
  const base = await startBase(closing);
  const { home, postgres, masterKeys, apiKey, sandboxUrl, log } = base;
  const service = await base.startWeb('web');

  const baseline = startChild('baseline.ts', { log: log('baseline'), probed: true });
  closing.push(baseline.stop);
  const settings: BaselineSettings = {
    databaseUrl: postgres.url,
    sandboxUrl,
    ...sandboxClient(createSecretBox(masterKeys)),
    expirySeconds: CHARGE_EXPIRY_SECONDS,
  };
  const url = `http://127.0.0.1:${await baseline.ask<number>(settings)}`;

  onProgress('Building the ordinary application');
  // Built into the checkout, where nothing imports it.
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

  const { url: databaseUrl, ownerUrl } = postgres;
  const load = base.startLoad();
  return { service, baseline: { ...baseline, url }, ordinary, load, apiKey, databaseUrl, ownerUrl, masterKeys, home };
}
