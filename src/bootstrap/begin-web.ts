import { seedDemo } from '#demo/seed-demo.ts';
import { seedDemoOperator } from '#demo/seed-demo-operator.ts';
import { seedHistory } from '#demo/seed-history.ts';
import type { LaneDeps } from '#server/http/lane-deps.ts';
import { openPages } from '#server/next/pages.ts';
import type { Deps } from '#services/deps.ts';
import { loadBreachedPasswords } from '#services/members/breached-passwords.ts';
import { callbackBase } from './compose-deps.ts';
import { composeRails } from './compose-rails.ts';
import { composeWeb } from './compose-web.ts';
import type { DemoLogins } from './demo-logins.ts';
import { registerWebhooks } from './register-webhooks.ts';
import type { SandboxOpener } from './sandbox-opener.ts';
import type { Startup } from './startup.ts';

/**
 * Begins the web role's part of a process. It is imported dynamically: most of the service's code
 * is behind this module, and a process that serves no web does without it and its memory.
 */
export function beginWeb(startup: Startup) {
  // This takes a second, in which the database is opened.
  const pagesReady = beginPages(startup);
  return {
    prepareDemo: (deps: Deps, openSandbox: SandboxOpener) => prepareDemo(startup, deps, openSandbox),
    async open(parts: { laneDeps: LaneDeps; aliveLock: bigint }) {
      // Here, so that no visitor waits for it.
      await loadBreachedPasswords();
      const { authenticator, web, pageHandler } = composeWeb(startup, parts);
      const pages = await pagesReady;
      return { authenticator, handlers: web, pages: pages && pageHandler(pages), close: () => pages?.close() };
    },
    registerWebhooks: (deps: Deps) => registerWebhooks(deps, (rail) => callbackBase(startup, rail)),
  };
}

function beginPages({ options }: Startup) {
  const { pages: wanted = 'built' } = options;
  const ready = wanted === 'none' ? undefined : openPages({ dev: wanted === 'dev' });
  // It is awaited later; until then a failure must not be an unhandled rejection.
  ready?.catch(() => {});
  return ready;
}

/**
 * Creates the demo's merchant and operator, with four weeks of history where `options` ask for it,
 * and returns their logins.
 */
async function prepareDemo({ env, options }: Startup, deps: Deps, openSandbox: SandboxOpener): Promise<DemoLogins> {
  const { db, secretBox } = deps;
  if (env.role === 'all' && options.history) {
    await seedHistory({
      deps,
      openSandbox,
      openRails: (to) => composeRails({ env, db, secretBox, onCall: () => {}, onQuoteRejection: () => {}, ...to }),
      onProgress: options.onProgress,
    });
  }
  return { ...(await seedDemo(deps)), operator: await seedDemoOperator(deps) };
}
