import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#db/connection/database.ts';
import openApi from '#public/openapi.json' with { type: 'json' };
import { createAccountGates } from '#server/http/account-gates.ts';
import { createClientAddress, createClientIp } from '#server/http/client-address.ts';
import { jsonText } from '#server/http/json.ts';
import type { LaneDeps } from '#server/http/lane-deps.ts';
import { createVisitorLimits } from '#server/http/visitor-limits.ts';
import { createMcpHandler } from '#server/mcp/mcp-handler.ts';
import { createOriginRules } from '#server/mcp/origin-rules.ts';
import type { Pages } from '#server/next/pages.ts';
import { composePanel } from '#server/panel/compose-panel.ts';
import { createPageHandler } from '#server/panel/page-handler.ts';
import { mcpRouter } from '#server/procedures/mcp-router.ts';
import { createCallerFactory } from '#server/procedures/procedure.ts';
import { createOperationRunner } from '#server/rest/operation-runner.ts';
import { createRequestAuthenticator } from '#server/rest/request-authenticator.ts';
import { createRestBridge } from '#server/rest/rest-bridge.ts';
import { createAuthenticator } from '#services/api-keys/authenticator.ts';
import { createRejectionAudit } from '#services/audit/rejection-audit.ts';
import { createPacing } from '#services/requests/pacing.ts';
import { createRateLimits } from '#services/requests/rate-limits.ts';
import { createIdempotency } from '#services/requests/run-idempotently.ts';
import type { Startup } from './startup.ts';

type WebParts = {
  laneDeps: LaneDeps;
  /**
   * The advisory lock that this process holds while it is alive: another process that finds it free
   * knows that this one has ended.
   */
  aliveLock: bigint;
};

/**
 * Builds the handlers of the REST API, of the tools for assistants, of the panel and of its pages.
 */
export function composeWeb(startup: Startup, { laneDeps, aliveLock }: WebParts) {
  const { env, clock, log, publicUrl } = startup;
  const { reads, visitors: visitorDeps } = laneDeps;
  const authenticator = createAuthenticator(reads.db, clock);
  const idempotency = createIdempotency(laneDeps.writes, aliveLock);
  const clientAddress = createClientAddress(env.trustedProxies);
  const clientIp = createClientIp(env.trustedProxies);
  // A process that is alone counts in memory; several processes count together in PostgreSQL.
  const aheadMs = () => clock().getTime() - Date.now();
  const storeIn = ({ pool }: Database) =>
    env.role === 'all' ? ({ kind: 'memory' } as const) : ({ kind: 'postgres', pool, aheadMs } as const);
  const rateLimits = createRateLimits({
    store: storeIn(reads.db),
    ...env.rateLimits,
    onStoreFailure: (error) => log.warn({ err: error }, 'The rate limits are counted in this process alone.'),
  });
  const authenticateRequest = createRequestAuthenticator({ authenticator, rateLimits, clientAddress, clientIp });
  const accounts = createAccountGates();
  // On the visitors' connections: a flood of rejections delays visitors at most.
  const rejections = createRejectionAudit(visitorDeps);
  const { knownSessions, ...panel } = composePanel({
    deps: laneDeps,
    accounts,
    idempotency,
    clientAddress,
    store: storeIn(visitorDeps.db),
    rejections,
  });
  const visitors = createVisitorLimits({
    clientAddress,
    knownSession: knownSessions.of,
    perAddressAMinute: env.rateLimits.anonymousPerAddressAMinute,
    perSessionAMinute: env.rateLimits.perKeyAMinute,
  });
  const running = { deps: laneDeps, clientIp, accounts, pace: createPacing(visitorDeps, sleep), idempotency };
  return {
    authenticator,
    web: {
      deps: laneDeps,
      publicUrl,
      rest: createRestBridge({ ...running, authenticateRequest, rejections }),
      mcp: createMcpHandler({
        ...{ publicUrl, originRules: createOriginRules(publicUrl), authenticateRequest, rejections, clientIp },
        runOperation: createOperationRunner({ ...running, createCaller: createCallerFactory(mcpRouter) }),
      }),
      // A test keeps the committed file what the procedures say. To make it takes 0.1 s.
      document: jsonText(openApi),
      visitors,
      ...panel,
    },
    pageHandler: (pages: Pages) =>
      createPageHandler(pages, panel, {
        mail: env.demo ? visitorDeps.mailer.kind : 'smtp',
        demo: env.demo,
        origin: new URL(publicUrl).origin,
      }),
  };
}
