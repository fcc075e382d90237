import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

/**
 * The first start on a slow machine: packages are there already, the database is made, the demo is
 * seeded.
 */
const START_MS = 300_000;
/** In-flight requests get 10 s, then PostgreSQL writes its last checkpoint. */
const STOP_MS = 40_000;

// Playwright reads this file again in each worker, which inherits what the first reading chose.
process.env.TRILHO_E2E_PORT ??= String(await freePort());
process.env.TRILHO_E2E_HOME ??= temporaryHome();
const baseURL = `http://127.0.0.1:${process.env.TRILHO_E2E_PORT}`;

/** What changes something for every account, and so stops the flows beside it. */
const INSTALLATION = 'panel/installation/*.spec.ts';

/** As wide as most phones in use. */
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Flows in a real Chromium against the service as `npm start` starts it. */
export default defineConfig({
  testDir: 'e2e',
  forbidOnly: true,
  retries: 0,
  // Else the longest file's tests, one after the other, are what the end of a run waits for.
  fullyParallel: true,
  // They wait for the service, and for what pages do: with three a third of the processors' time is
  // idle.
  workers: 4,
  // Against a test that hangs: on a slow machine that is busy with other things one takes ten times
  // as long.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [
    ['list'],
    ...(process.env.TRILHO_E2E_REPORT ? [['json', { outputFile: process.env.TRILHO_E2E_REPORT }] as const] : []),
  ],
  use: {
    baseURL,
    locale: 'pt-BR',
    launchOptions: {
      // Absent or empty: the one that Playwright downloaded.
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      // Chromium does not build its sandbox as root.
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-background-networking',
        // A page is left before its optimised code has paid for its compilation.
        '--js-flags=--no-opt,--no-maglev',
      ],
    },
  },
  projects: [
    // Drawing what moves is a sixth of the browser's work; on a phone it moves.
    { name: 'desktop', testIgnore: INSTALLATION, use: { contextOptions: { reducedMotion: 'reduce' } } },
    // Again on a phone: what people do there, one flow of a kind. The others do not depend on the
    // width (a keyboard, an address, a lost response), or on what a phone has tried already. The
    // tests outside `flows` set the width themselves, and look at every page on a phone.
    {
      name: 'phone',
      testMatch: 'panel/flows/*.spec.ts',
      grepInvert: /@width-independent/,
      use: { ...PHONE },
    },
    // What people and money depend on, in the other language; on a phone, so that one run tries both.
    {
      name: 'phone-english',
      testMatch: 'panel/flows/*.spec.ts',
      grep: /@both-languages/,
      use: { ...PHONE, locale: 'en-US' },
    },
    // After all the others: what it changes holds for every account. By itself: with `--no-deps`.
    { name: 'installation', testMatch: INSTALLATION, dependencies: ['desktop', 'phone', 'phone-english'] },
    ...(process.env.TRILHO_SCREENSHOTS ? [{ name: 'screenshots', testMatch: 'screenshots/*.ts' }] : []),
  ],
  webServer: {
    command: 'npm start',
    env: {
      PORT: process.env.TRILHO_E2E_PORT,
      TRILHO_HOME: process.env.TRILHO_E2E_HOME,
      LOG_LEVEL: 'warn',
      // Every person of every flow comes from this one machine.
      RATE_LIMIT_ANONYMOUS: '1000000',
    },
    url: `${baseURL}/readyz`,
    stdout: 'pipe',
    timeout: START_MS,
    gracefulShutdown: { signal: 'SIGTERM', timeout: STOP_MS },
  },
});

function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'trilho-e2e-'));
  // As root PostgreSQL runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  return home;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
