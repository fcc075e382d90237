/**
 * The providers, simulated at the level of HTTP: a PSP with the central bank's API Pix 2.9.0, a
 * crypto processor with Plisio's protocol, three markets, and a merchant's own system behind a
 * webhook URL. They keep their own records and send callbacks, and the control side decides what
 * goes wrong. They do not depend on the product that calls them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUuid } from '#domain/values/uuid.ts';
import { readText } from './body.ts';
import { createCallbackSender } from './callback-sender.ts';
import {
  bySubjectsClock,
  getSwitches,
  postClock,
  postConfirm,
  postExpire,
  postPay,
  postRemove,
  putSwitch,
  requireControl,
} from './control.ts';
import { answerPlisio } from './crypto/answer-plisio.ts';
import { keepShops } from './crypto/shops.ts';
import { createTokenEndpoint, type Scope } from './oauth.ts';
import { createCob, getCob, getPayload, PUBLIC_HOST_MAX, removeCob } from './pix/cob.ts';
import { listDisputes, postDefence } from './pix/disputes.ts';
import { findKeyOwner } from './pix/find-key-owner.ts';
import { getBalance } from './pix/get-balance.ts';
import { getPayment, listPayments } from './pix/payments.ts';
import { getPayoutByEndToEndId, getPayoutById, listPayouts, putPayout } from './pix/payouts.ts';
import { getRefund, putRefund } from './pix/refunds.ts';
import { deleteWebhook, getWebhook, putWebhook } from './pix/webhooks.ts';
import { postShopWebhook } from './post-shop-webhook.ts';
import { Problem, pixProblem } from './problems.ts';
import { answerMarket } from './quotes/answer-market.ts';
import type { SandboxClient, SandboxOptions } from './sandbox-options.ts';
import { type Reply, type SandboxRequest, SILENCE } from './sandbox-request.ts';
import { createStepRunner } from './step-runner.ts';
import { createTables } from './tables.ts';
import { byClock, CLOCK_HEADER, currentTime, findClock } from './test-clocks.ts';

/** How long a request without an answer stays open: longer than any client should wait. */
const SILENCE_MS = 60_000;

export type Sandbox = {
  /** Creates the sandbox's own schema; safe to repeat, also by two processes at the same time. */
  prepare(): Promise<void>;
  /**
   * Answers one request. `path` is the URL's path and query without the prefix that the sandbox is
   * mounted at.
   */
  handle(req: IncomingMessage, res: ServerResponse, path: string): void;
  /** Starts sending due callbacks and taking due steps. */
  start(): void;
  /** Looks for due steps now, if started: for callers that move the clock. */
  wakeSteps(): void;
  /**
   * Takes the steps that are due now and sends their callbacks, once: for callers that move the
   * clock and have not started the sandbox.
   */
  drainDueTasks(): Promise<void>;
  /**
   * Ends the requests that are kept open without an answer, and resolves when all work in progress
   * has ended.
   */
  stop(): Promise<void>;
};

type Route = { method: string; pattern: RegExp; answer: (request: SandboxRequest) => Promise<Reply> };

export function createSandbox(options: SandboxOptions): Sandbox {
  if (options.publicHost.length > PUBLIC_HOST_MAX) {
    throw new Error(`publicHost may have at most ${PUBLIC_HOST_MAX} characters, or a BR Code can't hold its location`);
  }
  const sender = createCallbackSender(options);
  const steps = createStepRunner(options, sender.wake);
  const answering = { ...options, clock: currentTime(options.clock) };
  const drainClock = async (id: string) => {
    await steps.drainClock(id);
    await sender.drainDueTasks();
  };
  const routes = createRoutes(options, answering, { wakeSender: sender.wake, drainClock });
  const silentLines = new Set<() => void>();
  let stopping = false;

  async function answer(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const method = req.method ?? '';
    const named = req.headers[CLOCK_HEADER];
    const clock = typeof named === 'string' && isUuid(named) ? await findClock(options.pool, named) : null;
    const reply = await byClock(
      clock,
      async () =>
        (await answerMarket(options, method, path)) ??
        (await answerPlisio(answering, method, path)) ??
        (await findAnswer(routes, req, path)),
    );
    if (reply !== SILENCE) {
      send(res, reply.status, reply.body);
      return;
    }
    await new Promise<void>((resolve) => {
      if (res.destroyed || stopping) return resolve();
      const timer = setTimeout(resolve, SILENCE_MS);
      silentLines.add(resolve);
      res.once('close', () => {
        clearTimeout(timer);
        silentLines.delete(resolve);
        resolve();
      });
    });
    throw pixProblem('IndisponibilidadePorTempoEsgotado');
  }

  return {
    async prepare() {
      await createTables(options.pool);
      await keepShops(options);
    },
    handle(req, res, path) {
      answer(req, res, path).catch((error: unknown) => {
        if (error instanceof Problem) {
          sendProblem(res, error);
          return;
        }
        if (res.destroyed) return;
        const problem = pixProblem('ErroInternoDoServidor');
        const message = error instanceof Error ? error.message : String(error);
        options.log.error({ error: message, correlationId: problem.body.correlationId }, 'sandbox: request failed');
        sendProblem(res, problem);
      });
    },
    start() {
      sender.start();
      steps.start();
    },
    wakeSteps: steps.wake,
    async drainDueTasks() {
      await steps.drainDueTasks();
      await sender.drainDueTasks();
    },
    async stop() {
      stopping = true;
      for (const letGo of silentLines) letGo();
      await steps.stop();
      await sender.stop();
      // The caller closes the connections next: these responses are sent by then.
      await new Promise(setImmediate);
    },
  };
}

type Upkeep = {
  wakeSender: () => void;
  /** Takes the steps that are due by a test clock, and sends their callbacks. */
  drainClock: (id: string) => Promise<void>;
};

/** `own` goes by the sandbox's own time, as tokens do; `options` by the clock of the request. */
function createRoutes(own: SandboxOptions, options: SandboxOptions, { wakeSender, drainClock }: Upkeep): Route[] {
  const tokens = createTokenEndpoint(own);

  /** A route that demands a token with this scope; the first `{…}` in its path is the parameter. */
  const client = (
    scope: Scope,
    answer: (client: SandboxClient, parameter: string, request: SandboxRequest) => Promise<Reply>,
  ): Route['answer'] => {
    return async (request) => answer(tokens.requireClient(request, scope), request.params[0] ?? '', request);
  };
  const control = (answer: (request: SandboxRequest) => Promise<Reply>): Route['answer'] => {
    return async (request) => {
      requireControl(options, request);
      return answer(request);
    };
  };

  return [
    route(
      'PUT /cob/{txid}',
      client('cob.write', async (who, txid, request) => createCob(options, who, txid, await request.readBody())),
    ),
    route(
      'PATCH /cob/{txid}',
      client('cob.write', async (who, txid, request) => removeCob(options, who, txid, await request.readBody())),
    ),
    route(
      'GET /cob/{txid}',
      client('cob.read', (who, txid) => getCob(options, who, txid)),
    ),
    route(
      'GET /pix',
      client('pix.read', (who, _, request) => listPayments(options, who, request.query)),
    ),
    route(
      'GET /pix/{e2eid}',
      client('pix.read', (who, endToEndId) => getPayment(options, who, endToEndId)),
    ),
    route(
      'PUT /pix/{e2eid}/devolucao/{id}',
      client('pix.write', async (who, endToEndId, request) =>
        putRefund(options, who, endToEndId, request.params[1] ?? '', await request.readBody()),
      ),
    ),
    route(
      'GET /pix/{e2eid}/devolucao/{id}',
      client('pix.read', (who, endToEndId, request) => getRefund(options, who, endToEndId, request.params[1] ?? '')),
    ),
    route(
      'PUT /v3/gn/pix/{idEnvio}',
      client('pix.send', async (who, idEnvio, request) => putPayout(options, who, idEnvio, await request.readBody())),
    ),
    route(
      'GET /v2/gn/pix/enviados',
      client('gn.pix.send.read', (who, _, request) => listPayouts(options, who, request.query)),
    ),
    route(
      'GET /v2/gn/pix/enviados/id-envio/{idEnvio}',
      client('gn.pix.send.read', (who, idEnvio) => getPayoutById(options, who, idEnvio)),
    ),
    route(
      'GET /v2/gn/pix/enviados/{e2eid}',
      client('gn.pix.send.read', (who, endToEndId) => getPayoutByEndToEndId(options, who, endToEndId)),
    ),
    route(
      'GET /v2/gn/infracoes',
      client('gn.infractions.read', (who, _, request) => listDisputes(options, who, request.query)),
    ),
    route(
      'POST /v2/gn/infracoes/{idInfracao}/defesa',
      client('gn.infractions.write', async (who, id, request) =>
        postDefence(options, who, id, await request.readBody()),
      ),
    ),
    route(
      'GET /v2/gn/saldo',
      client('gn.balance.read', (who, _, request) => getBalance(options, who, request.query)),
    ),
    route(
      'POST /v1/chaves/titular',
      client('key.read', async (_who, _, request) => findKeyOwner(options, await request.readBody())),
    ),
    route(
      'PUT /webhook/{chave}',
      client('webhook.write', async (who, chave, request) => putWebhook(options, who, chave, await request.readBody())),
    ),
    route(
      'GET /webhook/{chave}',
      client('webhook.read', (who, chave) => getWebhook(options, who, chave)),
    ),
    route(
      'DELETE /webhook/{chave}',
      client('webhook.write', (who, chave) => deleteWebhook(options, who, chave)),
    ),
    route('POST /oauth/token', (request) => tokens.issue(request)),
    route('POST /shop/webhooks', postShopWebhook),
    route('GET /qr/{token}', (request) => getPayload(options, request.params[0] ?? '')),
    route(
      'GET /control/switches',
      control(() => getSwitches(options)),
    ),
    route(
      'PUT /control/switches',
      control(async (request) => putSwitch(options, await request.readBody())),
    ),
    route(
      'POST /control/pay',
      control(async (request) => {
        const reply = await postPay(options, await request.readBody());
        wakeSender();
        return reply;
      }),
    ),
    route(
      'POST /control/confirm',
      control(async (request) => {
        const reply = await bySubjectsClock(options, await request.readBody(), (body) => postConfirm(options, body));
        wakeSender();
        return reply;
      }),
    ),
    route(
      'POST /control/expire',
      control(async (request) => {
        const reply = await bySubjectsClock(options, await request.readBody(), (body) => postExpire(options, body));
        wakeSender();
        return reply;
      }),
    ),
    route(
      'POST /control/remove',
      control(async (request) =>
        bySubjectsClock(options, await request.readBody(), (body) => postRemove(options, body)),
      ),
    ),
    route(
      'POST /control/clock',
      control(async (request) => postClock(own, await request.readBody(), drainClock)),
    ),
  ];
}

function route(methodAndPath: string, answer: Route['answer']): Route {
  const [method = '', path = ''] = methodAndPath.split(' ');
  return { method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`), answer };
}

async function findAnswer(routes: Route[], req: IncomingMessage, path: string): Promise<Reply> {
  const { pathname, searchParams: query } = new URL(path, 'http://sandbox');
  for (const { method, pattern, answer } of routes) {
    const match = method === req.method && pattern.exec(pathname);
    if (!match) continue;
    return answer({ headers: req.headers, params: match.slice(1).map(decode), query, readBody: () => readText(req) });
  }
  throw pixProblem('NaoEncontrado');
}

function decode(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    throw pixProblem('RequisicaoInvalida');
  }
}

function send(res: ServerResponse, status: number, body: unknown, contentType = 'application/json'): void {
  if (res.destroyed) return;
  if (body === undefined) {
    res.writeHead(status).end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, { 'content-type': contentType, 'content-length': bytes.length }).end(bytes);
}

function sendProblem(res: ServerResponse, problem: Problem): void {
  for (const [name, value] of Object.entries(problem.headers)) res.setHeader(name, value);
  // Efí's own errors are plain JSON.
  send(res, problem.status, problem.body, problem.headers['content-type'] ?? 'application/problem+json');
}
