import { join } from 'node:path';
import { SANDBOX_MOUNT, SANDBOX_PATHS, sandboxControlToken, sandboxMerchant } from '#config/sandbox-account.ts';
import type { Lanes } from '#db/tasks/lanes.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { createTaskPlaces } from '#jobs/task-places.ts';
import { createWaker } from '#jobs/waker.ts';
import { createFolderMailer, createSmtpMailer } from '#rails/mail/mailer.ts';
import { createSandboxControl } from '#rails/sandbox-control.ts';
import { createUrlChecker, createWebhookSender } from '#rails/webhooks/sender.ts';
import type { LaneDeps } from '#server/http/lane-deps.ts';
import { createMetrics } from '#server/observability/metrics.ts';
import { cryptoCallbackUrl } from '#services/callbacks/callback-url.ts';
import { createProviderCallRecorder } from '#services/callbacks/provider-call-recorder.ts';
import type { Deps } from '#services/deps.ts';
import { createRequestRecorder } from '#services/requests/request-recorder.ts';
import { createLiveFeed } from '#services/transactions/live-feed.ts';
import { createPaymentFeed } from '#services/transactions/payment-feed.ts';
import { testReceiverUrl } from '#services/webhooks/test-receiver-url.ts';
import { composeRails } from './compose-rails.ts';
import { pspCertificateEnd } from './psp-certificate-end.ts';
import type { Startup } from './startup.ts';

/** Below the data folder: where mail is written when no SMTP server is set. */
const MAIL_FOLDER = 'mail';

/**
 * Builds the dependencies of the use cases. `sandboxPort`: where the sandbox's own process listens,
 * if it has one.
 */
export function composeDeps(startup: Startup, lanes: Lanes, secretBox: SecretBox, sandboxPort: number | undefined) {
  const { env, closing, clock, log, options, sandboxBase } = startup;
  const db = lanes.background;
  const metrics = { ...createMetrics({ db, clock }, pspCertificateEnd(env, { clock, log })), ...options.observer };
  const providerCalls = createProviderCallRecorder({ db, secretBox, clock, log, observe: metrics.observe });
  closing.last('provider calls', () => providerCalls.stop());
  const requests = createRequestRecorder({ db, secretBox, clock, log, observe: metrics.observe });
  closing.last('requests', () => requests.stop());
  const sandboxAt = sandboxPort === undefined ? sandboxBase : `http://127.0.0.1:${sandboxPort}`;
  const sandboxUrl = env.sandboxUrl ?? (sandboxAt ? sandboxAt + SANDBOX_MOUNT : undefined);
  const taskPlaces = createTaskPlaces((server) =>
    log.warn({ server }, 'A server that tasks wait for is slow; it gets fewer places of the worker until it is quick.'),
  );
  const rails = composeRails({
    env,
    sandboxUrl,
    db: lanes.reads,
    secretBox,
    clock,
    onCall(call) {
      metrics.railCall(call);
      taskPlaces.note(call.host, call.durationMs);
    },
    onProviderCall: providerCalls.record,
    onQuoteRejection: (reason) => log.warn({ reason }, 'The markets give no quote.'),
  });
  closing.last('rails', () => rails.close());
  const webhookSender = createWebhookSender();
  closing.last('webhooks', () => webhookSender.close());
  const mailer = env.smtpUrl
    ? createSmtpMailer(env.smtpUrl, env.mailFrom)
    : createFolderMailer(join(env.home, MAIL_FOLDER), env.mailFrom);
  closing.last('mailer', () => mailer.close());
  const deps: Deps = {
    db,
    clock,
    steadyForMs: startup.steadyForMs,
    rails,
    sandbox: sandboxUrl ? createSandboxControl({ baseUrl: sandboxUrl, token: sandboxControlToken(secretBox) }) : null,
    secretBox,
    webhookSender,
    urlChecker: createUrlChecker(clock),
    mailer,
    settings: composeSettings(startup, secretBox),
    wakeWorkers: createWaker(db),
    liveFeed: createLiveFeed({ db: lanes.reads, clock, log }),
    paymentFeed: createPaymentFeed({ db: lanes.visitors, secretBox, log }),
    log,
    observe: metrics.observe,
  };
  const laneDeps: LaneDeps = {
    writes: { ...deps, db: lanes.writes },
    reads: { ...deps, db: lanes.reads },
    visitors: { ...deps, db: lanes.visitors },
  };
  return { deps, laneDeps, metrics, requests, sandboxUrl, taskPlaces };
}

function composeSettings(startup: Startup, secretBox: SecretBox): Deps['settings'] {
  const { env, publicUrl, webBase, sandboxBase } = startup;
  return {
    demo: env.demo,
    requireOwnCredentials: env.requireOwnCredentials,
    sandboxCredentials: env.demo ? (accountId) => sandboxMerchant(secretBox, accountId) : null,
    chargeExpirySeconds: env.chargeExpirySeconds,
    invoiceExpirySeconds: env.invoiceExpirySeconds,
    retentionYears: env.retentionYears,
    publicUrl,
    shopUrl: env.demo && sandboxBase ? sandboxBase + SANDBOX_MOUNT + SANDBOX_PATHS.shopWebhooks : null,
    testReceiverUrl: (accountId) => testReceiverUrl(webBase, secretBox, accountId),
    cryptoCallbackUrl: (rail) => cryptoCallbackUrl(callbackBase(startup, rail), secretBox, rail),
  };
}

/**
 * Returns the base of the URL at which a rail's provider calls back. Without PUBLIC_URL the sandbox
 * is beside us, and calls the web role's nearest address.
 */
export const callbackBase = ({ env, publicUrl, webBase }: Startup, rail: string): string =>
  rail.startsWith('sandbox') && !env.publicUrl ? webBase : publicUrl;
