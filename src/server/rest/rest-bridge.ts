import type { IncomingMessage, ServerResponse } from 'node:http';
import { SERVED_VERSIONS } from '#contract/api-version.ts';
import type { Warning } from '#contract/warnings.ts';
import { isAgentKey } from '#domain/api-keys/permissions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { KeyOwner } from '#services/api-keys/authenticator.ts';
import { isNotedRejection, type RejectionAudit, rejectedName } from '#services/audit/rejection-audit.ts';
import { type Idempotency, isIdempotencyKey } from '#services/requests/run-idempotently.ts';
import type { AccountGates } from '../http/account-gates.ts';
import { sendJson, sendJsonText } from '../http/json.ts';
import type { LaneDeps } from '../http/lane-deps.ts';
import { originOf } from '../http/origin-of.ts';
import type { RequestContext } from '../http/request-context.ts';
import { createCallerFactory } from '../procedures/procedure.ts';
import { restRouter } from '../procedures/rest-router.ts';
import { readJsonObject } from './body.ts';
import { type ErrorRules, type RestError, toRestError } from './errors.ts';
import { createOperationRunner } from './operation-runner.ts';
import { withoutNulls } from './optional-nulls.ts';
import { withoutEmptyTexts } from './optional-texts.ts';
import { readQuery } from './read-query.ts';
import type { RequestAuthenticator } from './request-authenticator.ts';
import { compileRoutes, type RestRoute } from './routes.ts';
import { sendRestError, setRetryAfter } from './send-rest-error.ts';
import { WARNINGS_MAX, warnOfBody, warnOfQuery, withWarnings } from './unknown-fields.ts';

export type RestBridge = (req: IncomingMessage, res: ServerResponse, requestContext: RequestContext) => Promise<void>;

export type RestParts = {
  deps: LaneDeps;
  authenticateRequest: RequestAuthenticator;
  /** Where a request came from, for the audit. */
  clientIp: (req: IncomingMessage) => string | null;
  accounts: AccountGates;
  /** Waits while the workers have more to do than they can, for the account's share of that. */
  pace: (accountId: string) => Promise<void>;
  idempotency: Idempotency;
  rejections: RejectionAudit;
};

/**
 * REST in front of the procedures: finds the operation, then key, body, input, in this order, and
 * writes the answer in the contract's shapes. It knows no operation by name. `requestContext.path`
 * is the path without prefix and query.
 */
export function createRestBridge({
  deps,
  authenticateRequest,
  accounts,
  pace,
  idempotency,
  clientIp,
  rejections,
}: RestParts): RestBridge {
  const routes = compileRoutes(restRouter);
  const createCaller = createCallerFactory(restRouter);
  const runOperation = createOperationRunner({ deps, createCaller, accounts, pace, idempotency, clientIp });

  const noteRejection = async (req: IncomingMessage, key: KeyOwner, route: RestRoute, why: string) => {
    const { merchantId, accountId, keyId } = key;
    const action = rejectedName(why, route.meta.audit, 'api_key');
    const details = { operation: `${route.method} ${route.template}`, why };
    const origin = originOf(req, clientIp(req));
    await rejections.note({ merchantId, accountId, keyId, memberId: null, action, details, origin });
  };

  return async (req, res, requestContext) => {
    let route: RestRoute | undefined;
    let errors: ErrorRules | undefined;
    let input: Record<string, unknown> = {};
    let warnings: Warning[] = [];
    let keyOwner: KeyOwner | undefined;
    const fail = (thrown: unknown): RestError => {
      const { requestId } = requestContext;
      requestContext.failure = toRestError(thrown, errors, { input, requestId, warnings });
      requestContext.responseBody = requestContext.failure.body;
      return requestContext.failure;
    };
    // Balances and payers' data are for this caller only.
    res.setHeader('cache-control', 'no-store');
    const authenticateCaller = async () => {
      const principal = await authenticateRequest(req, res, (owner) => {
        keyOwner = owner;
        requestContext.accountId = owner.accountId;
        requestContext.keyId = owner.keyId;
      });
      // An assistant can be talked into anything: its key is for its tools, and for nothing
      // besides.
      if (isAgentKey(principal.permissions)) throw new DomainError('permission_denied');
      return principal;
    };
    /**
     * Where there is no operation, no key is required: of the errors of a key only rate_limited is
     * returned, and the request is in a valid key's log.
     */
    const noteCaller = async () => {
      if (req.headers['x-api-key'] === undefined) return;
      await authenticateCaller().catch((error: unknown) => {
        if (error instanceof DomainError && error.code === 'rate_limited') throw error;
      });
    };
    try {
      const match = routes.match(req.method ?? '', requestContext.path);
      if (match.found === 'nothing') {
        await noteCaller();
        throw new DomainError('route_not_found');
      }
      if (match.found === 'path') {
        requestContext.route = match.template;
        errors = match.errors;
        await noteCaller();
        res.setHeader('allow', match.allow.join(', '));
        throw new DomainError('method_not_allowed');
      }
      const found = match.route;
      route = found;
      errors = found.errors;
      requestContext.route = found.template;
      const principal = await authenticateCaller();
      demandServedVersion(req);
      if (found.method === 'GET') {
        const query = readQuery(requestContext.query, found.listParameters);
        warnings = warnOfQuery(Object.keys(query), found.knownFields);
        input = withoutEmptyTexts({ ...query, ...match.parameters }, found.optionalTexts);
      } else {
        const body = await readJsonObject(req);
        requestContext.requestBody = body;
        const query = Object.keys(readQuery(requestContext.query, found.listParameters));
        warnings = [...warnOfBody(body, found.knownFields), ...warnOfQuery(query, null)].slice(0, WARNINGS_MAX);
        const fields = withoutNulls(withoutEmptyTexts(body, found.optionalTexts), found.optionalNulls);
        input = { ...fields, ...match.parameters };
      }
      const sentKey = found.method === 'POST' ? req.headers['idempotency-key'] : undefined;
      const idempotencyKey = sentKey === undefined ? null : String(sentKey);
      if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey))
        throw new DomainError('invalid_idempotency_key');
      const answer = await runOperation({
        ...{ req, res, operation: found, principal, input, idempotencyKey, fail },
        present: (output) => withWarnings(output, warnings),
      });
      if (answer.replayed) res.setHeader('idempotent-replayed', 'true');
      if (requestContext.failure) setRetryAfter(res, requestContext.failure);
      requestContext.responseBody = answer.body;
      if (typeof answer.body === 'string') sendJsonText(res, answer.status, answer.body);
      else sendJson(res, answer.status, answer.body);
    } catch (thrown) {
      sendRestError(req, res, fail(thrown));
    }
    const code = requestContext.failure?.code;
    if (keyOwner && route && isNotedRejection(code)) await noteRejection(req, keyOwner, route, code);
  };
}

/**
 * Throws unsupported_version for a requested one that is not served; without one, the oldest holds.
 */
function demandServedVersion({ headers }: IncomingMessage): void {
  const asked = headers['x-api-version'];
  if (asked === undefined || SERVED_VERSIONS.includes(String(asked))) return;
  throw new DomainError('unsupported_version', { params: { versions: SERVED_VERSIONS.join(', ') } });
}
