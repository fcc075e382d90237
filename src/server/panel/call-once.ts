import type { IncomingMessage, ServerResponse } from 'node:http';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ERROR_CATALOGUE } from '#domain/errors/error-catalogue.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Deps } from '#services/deps.ts';
import { authorizeReplay } from '#services/requests/authorize-replay.ts';
import type { Idempotency } from '#services/requests/run-idempotently.ts';
import { jsonRequest, jsonText, sendJsonText } from '../http/json.ts';
import type { Context } from '../procedures/context.ts';
import { panelRouter } from '../procedures/panel-router.ts';
import { replayNeeds, withoutSecrets } from '../procedures/requests/replay.ts';
import { isOpenTo } from '../procedures/role-access.ts';
import { toTrpcError } from '../procedures/trpc-errors.ts';
import { DEPTH_MAX, readJsonObject } from '../rest/body.ts';
import { setRetryAfter } from '../rest/send-rest-error.ts';
import { metaOf } from './panel-procedures.ts';

/** A call that gave an error; `path` is its procedure. */
export type FailedCall = { error: { code: string; cause?: unknown }; path?: string | undefined };

/** tRPC's numbers of these. */
const CONFLICT_JSONRPC = -32009;
const FORBIDDEN_JSONRPC = -32003;

/**
 * Makes a call once, however often it is sent: the response is kept under the key, and the attempt
 * after a crash continues under the same id. A rejection is not kept: the corrected form, or the
 * one with its second factor, is sent with the same key. A response that was kept goes only to a
 * member whose role may make the call now.
 */
export async function callOnce(
  { deps, idempotency }: { deps: Deps; idempotency: Idempotency },
  req: IncomingMessage,
  res: ServerResponse,
  call: { context: Context; path: string; key: string; onError: (failed: FailedCall) => void },
): Promise<void> {
  const { context, path, key, onError } = call;
  const body = await readJsonObject(req, DEPTH_MAX);
  const input = jsonText(body);
  const execute = async (subjectId: string, resumed = false) => {
    const answer = await fetchRequestHandler({
      endpoint: '/call',
      router: panelRouter,
      req: jsonRequest(`http://panel/call/${path}`, body),
      createContext: () => ({ ...context, subjectId, resumed }),
      onError,
    });
    const kept = answer.ok ? ('keep' as const) : answer.status >= 500 ? ('release' as const) : ('delete' as const);
    const text = await answer.text();
    const withSecrets = answer.ok && meta?.secrets !== undefined;
    return {
      status: answer.status,
      body: text,
      key: kept,
      ...(withSecrets && { kept: jsonText(withoutSecrets(JSON.parse(text), meta.secrets, 'result.data.')) }),
    };
  };
  const { principal } = context;
  const createdAt = context.deps.clock();
  const meta = metaOf(path);
  const member = context.panel?.member;
  const once = async (accountId: string, memberId: string) => {
    const mayReplay = () => authorizeReplay(deps, accountId, replayNeeds(meta));
    const request = { accountId, key: `panel ${memberId} ${key}`, request: `${path} ${input}`, mayReplay, createdAt };
    return idempotency.run(request, execute).catch((error: unknown) => {
      if (error instanceof DomainError) {
        onError({ error: { code: 'FORBIDDEN', cause: error }, path });
        return rejectionOf(error);
      }
      throw error;
    });
  };
  const isKept = principal && member && isOpenTo(member.role, path);
  const answer = isKept ? await once(principal.accountId, member.memberId) : await execute(uuidv7(createdAt));
  // It came by POST: the procedure is a query.
  if (answer.status === ERROR_CATALOGUE.method_not_allowed.status) res.setHeader('allow', 'GET');
  if (answer.status === ERROR_CATALOGUE.unavailable.status) setRetryAfter(res, { code: 'unavailable' });
  sendJsonText(res, answer.status, answer.body);
}

/** What a page gets for a call that was not made, in the shape of one that was rejected. */
function rejectionOf(error: DomainError): { status: number; body: string } {
  const { code } = error;
  const { status } = ERROR_CATALOGUE[code];
  const { message } = toTrpcError(error);
  const data = {
    code: status === 403 ? 'FORBIDDEN' : 'CONFLICT',
    httpStatus: status,
    reason: code,
    fields: [],
    params: {},
  };
  const number = status === 403 ? FORBIDDEN_JSONRPC : CONFLICT_JSONRPC;
  return { status, body: jsonText({ error: { message, code: number, data } }) };
}
