import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SANDBOX_MOUNT, SANDBOX_PATHS, sandboxControlToken } from '#config/sandbox-account.ts';
import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import { readSetting, replaceSetting, setSettingOnce } from '#db/connection/settings.ts';
import { findNextDue } from '#db/tasks/tasks.ts';
import { hasTransactions } from '#db/transactions/has-transactions.ts';
import { listTopicEndpoints, upsertEndpoint } from '#db/webhooks/endpoints.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isApiError } from '#domain/errors/error-catalogue.ts';
import { NO_MERCHANT_FIELDS } from '#domain/transactions/merchant-fields.ts';
import { uuidToTxid, uuidv7 } from '#domain/values/uuid.ts';
import { TOPICS, type Topic } from '#domain/webhooks/events.ts';
import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import { drainDueTasks } from '#jobs/worker.ts';
import type { OnProviderCall } from '#rails/call-trace.ts';
import type { RailRegistry } from '#rails/registry.ts';
import { createRequestContext } from '#server/http/request-context.ts';
import { handleCallback } from '#server/inbound/handle-callback.ts';
import { toRestError } from '#server/rest/errors.ts';
import { sendRestError } from '#server/rest/send-rest-error.ts';
import { getBalance } from '#services/accounts/get-balance.ts';
import { cryptoCallbackUrl, pixCallbackUrl } from '#services/callbacks/callback-url.ts';
import { createProviderCallRecorder } from '#services/callbacks/provider-call-recorder.ts';
import { cancelCharge } from '#services/charges/cancel-charge.ts';
import { createCharge } from '#services/charges/create-charge.ts';
import { NO_CUSTOMER } from '#services/charges/seal-texts.ts';
import type { Deps } from '#services/deps.ts';
import { createInvoice } from '#services/invoices/create-invoice.ts';
import { requestChargeRefund } from '#services/refunds/request-refund.ts';
import { requestCryptoWithdrawal } from '#services/withdrawals/request-crypto-withdrawal.ts';
import { requestPixWithdrawal } from '#services/withdrawals/request-pix-withdrawal.ts';
import {
  type DemoStep,
  HISTORY_CHARGE_EXPIRY_SECONDS,
  HISTORY_INVOICE_EXPIRY_SECONDS,
  planHistory,
  type WithdrawnAmount,
} from './demo-plan.ts';
import { findDemoAccount, seedDemo } from './seed-demo.ts';

/** A sandbox with a clock of its own. */
type HistorySandbox = {
  prepare(): Promise<void>;
  handle(req: IncomingMessage, res: ServerResponse, path: string): void;
  drainDueTasks(): Promise<void>;
  stop(): Promise<void>;
};

export type HistoryParts = {
  /** The service's own; the history replaces clock, rails, mail and log. */
  deps: Deps;
  /** Opens the sandbox on this installation's database, with another clock. */
  openSandbox: (clock: () => Date) => HistorySandbox;
  /** Opens the rails to a sandbox at this address, with another clock. */
  openRails: (to: { sandboxUrl: string; clock: () => Date; onProviderCall: OnProviderCall }) => RailRegistry;
  onProgress?: ((message: string) => void) | undefined;
};

/**
 * How far the history has come, stored so that a start after a killed one continues there. Ids are
 * derived from `salt`, so that a repeated step has no effect. `reached`: everything before it is
 * done.
 */
type Progress = { until: string; reached: string; salt: string } | { done: true };

/** The merchant's account was opened this long before its first sale. */
const OPENED_BEFORE_MS = 3 * 86_400_000;
const DAY_MS = 86_400_000;
/** Withdrawals are of whole tens of reais. */
const ROUND_CENTAVOS = 10_00n;

/**
 * Gives the demo merchant's test account, which the printed key and the login lead to, four weeks
 * of business, once: every sale, payment and withdrawal goes through the services, the sandbox and
 * the worker's own tasks, in the order of time, by a clock that is moved through the days. Call it
 * before the service serves requests. An account that has transactions already is left as it is.
 * The start after a killed one completes the history, up to the instant that the first one chose.
 */
export async function seedHistory(parts: HistoryParts): Promise<void> {
  const { deps, onProgress } = parts;
  const { db, secretBox } = deps;
  const progress = await findProgress(deps);
  if ('done' in progress) return followPort(deps);
  onProgress?.('Preparing four weeks of demonstration history');
  const until = new Date(progress.until);
  const plan = planHistory(until);

  let now = new Date((plan[0]?.at ?? until).getTime() - OPENED_BEFORE_MS);
  const clock = () => now;
  await seedDemo({ ...deps, clock });
  const accountId = await findDemoAccount(deps, 'test');
  const account = accountId && (await findAccountTerms(db.pool, accountId, now));
  if (!account) throw new Error('The demo merchant has no test account.');

  for (const topic of TOPICS) await sendEventsToShop({ ...deps, clock }, accountId, topic);

  const service = await startHistoryService({ ...parts, clock });
  /**
   * Delivers an event that the shop's system did not take at once when its next attempt is due, and
   * not when the next step happens.
   */
  const deliverUntil = async (next: Date) => {
    for (;;) {
      const due = await findNextDue(db.pool, 'deliver_webhook', next);
      if (!due) return;
      now = due;
      await service.drainDueTasks();
    }
  };
  try {
    const idOf = createIds(plan, progress.salt);
    let reached = new Date(progress.reached);
    for (const step of plan.filter(({ at }) => at >= reached)) {
      if (step.at.getTime() - reached.getTime() > DAY_MS) {
        reached = step.at;
        const sofar = JSON.stringify({ ...progress, reached: reached.toISOString() } satisfies Progress);
        await replaceSetting(db, secretBox, 'demo-history', sofar);
      }
      await deliverUntil(step.at);
      now = step.at;
      await perform(service, account, step, idOf).catch(passOver);
      await service.drainDueTasks();
    }
    await deliverUntil(until);
    now = until;
    await service.drainDueTasks();
  } finally {
    await service.stop();
  }
  await replaceSetting(db, secretBox, 'demo-history', JSON.stringify({ done: true } satisfies Progress));
}

/**
 * Moves the shop's endpoints to the port of this start, where the merchant has not set other URLs.
 */
async function followPort(deps: Deps): Promise<void> {
  const { shopUrl } = deps.settings;
  if (!shopUrl) return;
  const { hostname: host, pathname } = new URL(shopUrl);
  const accountId = await findDemoAccount(deps, 'test');
  if (accountId === null) return;
  for (const { topic, url } of await listTopicEndpoints(deps.db, accountId)) {
    const { hostname, pathname: path } = new URL(url);
    if (url !== shopUrl && hostname === host && path === pathname) await sendEventsToShop(deps, accountId, topic);
  }
}

/** Sends the events of a topic to the shop's own system from now on. */
async function sendEventsToShop(
  { db, clock, settings: { shopUrl } }: Deps,
  accountId: string,
  topic: Topic,
): Promise<void> {
  const now = clock();
  if (shopUrl) await upsertEndpoint(db.pool, { id: uuidv7(now), accountId, topic, url: shopUrl, now });
}

/** Ignores what the sandbox or a limit rejects: a gap in the history is no reason not to start. */
function passOver(error: unknown): void {
  if (!(error instanceof DomainError && isApiError(error.code))) throw error;
}

async function findProgress(deps: Deps): Promise<Progress> {
  const { db, secretBox } = deps;
  const known = await readSetting(db, secretBox, 'demo-history');
  if (known !== null) return JSON.parse(known) as Progress;
  const accountId = await findDemoAccount(deps, 'test');
  const isUsed = accountId !== null && (await hasTransactions(db.pool, accountId));
  const until = deps.clock();
  const salt = randomBytes(16).toString('hex');
  const begun: Progress = isUsed
    ? { done: true }
    : { until: until.toISOString(), reached: new Date(0).toISOString(), salt };
  return JSON.parse(await setSettingOnce(db, secretBox, 'demo-history', JSON.stringify(begun))) as Progress;
}

/**
 * Returns ids by number: each has the instant at which its thing is made, can't be guessed without
 * the salt, and is the same in every attempt.
 */
function createIds(plan: readonly DemoStep[], salt: string): (n: number) => string {
  const made = new Map(plan.flatMap((step) => ('n' in step ? [[step.n, step.at] as const] : [])));
  return (n) => {
    const at = made.get(n);
    if (!at) throw new Error(`Nothing is made under the number ${n}.`);
    const bits = createHash('sha256').update(`${salt} ${n}`).digest('hex');
    // The version, and the variant's two bits, stay.
    return `${uuidv7(at).slice(0, 15)}${bits.slice(0, 3)}-a${bits.slice(3, 6)}-${bits.slice(6, 18)}`;
  };
}

type HistoryService = {
  deps: Deps;
  /**
   * Sends a command to the sandbox's control side. A command that was carried out before, or whose
   * subject is missing, is no error.
   */
  control(path: string, body: object): Promise<void>;
  /** Processes everything that is due, in the sandbox and here. */
  drainDueTasks(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the sandbox and our callback handler behind a port of this machine that nothing else
 * knows, and the services with the same clock.
 */
async function startHistoryService(parts: HistoryParts & { clock: () => Date }): Promise<HistoryService> {
  const { clock } = parts;
  const sandbox = parts.openSandbox(clock);
  await sandbox.prepare();
  const server = createServer((req, res) => {
    const url = req.url ?? '';
    if (url.startsWith(SANDBOX_MOUNT)) sandbox.handle(req, res, url.slice(SANDBOX_MOUNT.length));
    else {
      handleCallback({ deps, visitors: { count() {} } }, req, res, createRequestContext(url)).catch((error: unknown) =>
        sendRestError(req, res, toRestError(error)),
      );
    }
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shopUrl = base + SANDBOX_MOUNT + SANDBOX_PATHS.shopWebhooks;
  const { webhookSender, settings } = parts.deps;
  const calls = createProviderCallRecorder({
    db: parts.deps.db,
    secretBox: parts.deps.secretBox,
    clock,
    log: parts.deps.log,
    observe: parts.deps.observe,
  });
  const rails = parts.openRails({ sandboxUrl: base + SANDBOX_MOUNT, clock, onProviderCall: calls.record });
  const deps: Deps = {
    ...parts.deps,
    clock,
    rails,
    settings: {
      ...parts.deps.settings,
      chargeExpirySeconds: HISTORY_CHARGE_EXPIRY_SECONDS,
      invoiceExpirySeconds: HISTORY_INVOICE_EXPIRY_SECONDS,
      cryptoCallbackUrl: (rail) => cryptoCallbackUrl(base, parts.deps.secretBox, rail),
    },
    // The shop's system is behind our own port, which is not open yet.
    webhookSender: {
      ...webhookSender,
      send: (webhook) =>
        webhookSender.send({ ...webhook, url: webhook.url === settings.shopUrl ? shopUrl : webhook.url }),
    },
    // Nobody is notified of the past: no mail, no measurement, no warning that a payment failed.
    mailer: { ...parts.deps.mailer, send: async () => {} },
    wakeWorkers: () => {},
    observe: () => {},
    log: { ...silentLog, error: (fields, sentence) => parts.deps.log.error(fields, sentence) },
  };
  for (const rail of await rails.pixRails()) {
    const registered = await rail.registerWebhook(pixCallbackUrl(base, deps.secretBox, rail.name));
    if (registered.outcome !== 'done') throw new Error(`The sandbox did not note our address: ${registered.reason}`);
  }

  return {
    deps,
    async control(path, body) {
      const response = await fetch(`${base}${SANDBOX_MOUNT}/control${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${sandboxControlToken(deps.secretBox)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok && response.status !== 409 && response.status !== 404)
        throw new Error(`The sandbox answered ${response.status}: ${text}`);
    },
    async drainDueTasks() {
      await sandbox.drainDueTasks();
      await drainDueTasks(deps, TASK_HANDLERS);
    },
    async stop() {
      await rails.close();
      await calls.stop();
      await sandbox.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const silentLog = { debug: () => {}, info: () => {}, warn: () => {} };

/** Performs a step. Has no effect when it is repeated. */
async function perform(
  { deps, control }: HistoryService,
  account: AccountTerms,
  step: DemoStep,
  idOf: (n: number) => string,
): Promise<void> {
  const { accountId } = account;
  const acting = { ...account, actor: null, origin: NOWHERE };
  switch (step.do) {
    case 'charge': {
      const { name = null, email = null, document = null } = step.customer ?? {};
      const customer = {
        name,
        email,
        phone: null,
        document,
        documentType: document === null ? null : ('cpf' as const),
      };
      const { amountCentavos, description } = step;
      const charge = {
        id: idOf(step.n),
        amountCentavos,
        customer,
        description,
        callbackUrl: null,
        expiresInSeconds: null,
        ...UNNAMED,
        split: null,
      };
      await createCharge(deps, account, charge);
      return;
    }
    case 'pay_charge':
      return control('/pay', { txid: uuidToTxid(idOf(step.of)) });
    case 'cancel':
      await cancelCharge(deps, acting, idOf(step.of));
      return;
    case 'refund': {
      const { centavos, description } = step;
      const refund = { id: idOf(step.n), transactionId: idOf(step.of), centavos, description, ...UNNAMED };
      await requestChargeRefund(deps, acting, refund);
      return;
    }
    case 'invoice': {
      const { amountCentavos, currency } = step;
      await createInvoice(deps, account, {
        id: idOf(step.n),
        amountCentavos,
        currency,
        description: null,
        callbackUrl: null,
        expiresInSeconds: null,
        ...UNNAMED,
        customer: NO_CUSTOMER,
      });
      return;
    }
    case 'pay_invoice': {
      const { share, unconfirmed } = step;
      return control('/pay', { txid: uuidToTxid(idOf(step.of)), share, unconfirmed });
    }
    case 'confirm':
      return control('/confirm', { txid: uuidToTxid(idOf(step.of)) });
    case 'withdraw_pix': {
      const { pixKey, pixKeyType, description } = step;
      const amountCentavos = await amountOf(deps, accountId, step.amount);
      await requestPixWithdrawal(deps, acting, {
        id: idOf(step.n),
        amountCentavos,
        pixKey,
        pixKeyType,
        description,
        ...UNNAMED,
      });
      return;
    }
    case 'withdraw_crypto': {
      const { currency, wallet } = step;
      const amountCentavos = await amountOf(deps, accountId, step.amount);
      await requestCryptoWithdrawal(deps, acting, {
        ...{ id: idOf(step.n), amountCentavos, currency, wallet, memo: null },
        ...UNNAMED,
      });
      return;
    }
    case 'settle':
      return;
  }
}

/** No merchant gave it a reference or metadata. */
const UNNAMED = { merchantFields: NO_MERCHANT_FIELDS };
const NOWHERE = { ipAddress: null, userAgent: null };

async function amountOf(deps: Deps, accountId: string, amount: WithdrawnAmount): Promise<bigint> {
  if ('centavos' in amount) return amount.centavos;
  const { availableCentavos } = await getBalance(deps, accountId);
  const part = (availableCentavos * amount.percent) / 100n;
  const rounded = (part / ROUND_CENTAVOS) * ROUND_CENTAVOS;
  return rounded < amount.centavosMax ? rounded : amount.centavosMax;
}
