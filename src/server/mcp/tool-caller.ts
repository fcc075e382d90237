import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Warning } from '#contract/warnings.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { ApiErrorCode } from '#domain/errors/error-catalogue.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import type { KeyOwner } from '#services/api-keys/authenticator.ts';
import { isNotedRejection, type RejectionAudit, rejectedName } from '#services/audit/rejection-audit.ts';
import { jsonText } from '../http/json.ts';
import { originOf } from '../http/origin-of.ts';
import type { RequestContext } from '../http/request-context.ts';
import { type RestError, toRestError } from '../rest/errors.ts';
import type { OperationAnswer, OperationRunner } from '../rest/operation-runner.ts';
import { withoutNulls } from '../rest/optional-nulls.ts';
import { withoutEmptyTexts } from '../rest/optional-texts.ts';
import { warnOfBody } from '../rest/unknown-fields.ts';
import { maskReceivers } from './mask-receivers.ts';
import { IDEMPOTENCY_KEY, isIdempotencyArgument } from './tool-schemas.ts';
import type { McpTool } from './tools.ts';

/** One call, and who makes it. */
export type ToolCall = {
  req: IncomingMessage;
  res: ServerResponse;
  requestContext: RequestContext;
  principal: KeyOwner;
  tool: McpTool;
  sent: Record<string, unknown>;
};

type Body = Record<string, unknown>;

/** What an assistant is answered: JSON, as a text for those that read nothing else. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Body;
  isError?: boolean;
};

type Parts = {
  runOperation: OperationRunner;
  rejections: RejectionAudit;
  /** Where a request came from, for the audit. */
  clientIp: (req: IncomingMessage) => string | null;
};

/**
 * Calls a tool: the procedure behind it, as REST calls it. Never throws: what goes wrong is a
 * result that the assistant can read, with REST's body of the error.
 */
export function createToolCaller({ runOperation, rejections, clientIp }: Parts) {
  const note = async ({ req, principal, tool }: ToolCall, why: string) => {
    const { merchantId, accountId, keyId } = principal;
    const action = rejectedName(why, tool.operation.meta.audit, 'api_key');
    const details = { operation: tool.operation.template, why };
    const origin = originOf(req, clientIp(req));
    await rejections.note({ merchantId, accountId, keyId, memberId: null, action, details, origin });
  };

  const run = async (call: ToolCall): Promise<ToolResult> => {
    const { req, res, requestContext, principal, tool, sent } = call;
    const { operation } = tool;
    requestContext.requestBody = { tool: tool.name, arguments: sent };
    const fail = (thrown: unknown, warnings = warnOfBody({}, {})): RestError => {
      const { requestId } = requestContext;
      requestContext.failure = toRestError(
        thrown,
        { inputError: tool.inputError },
        { input: sent, requestId, warnings },
      );
      return requestContext.failure;
    };
    const answerError = ({ body }: RestError): ToolResult => ({ ...resultOf(call, body), isError: true });
    const unknown = warnOfBody(sent, tool.knownFields);
    if (unknown.length > 0) {
      const details = unknown.map(({ field }) => fieldIssue(field, 'not_valid'));
      return answerError(fail(new DomainError('invalid_input', { details }), unknown.map(asRejected)));
    }
    const { [IDEMPOTENCY_KEY]: key, ...fields } = sent;
    const isRead = operation.method === 'GET';
    if (!isRead && !isIdempotencyArgument(key)) {
      // An assistant has no header to send: the error says which argument is meant.
      const details = [fieldIssue(IDEMPOTENCY_KEY, key === undefined ? 'required' : 'not_valid')];
      return answerError(fail(new DomainError('invalid_idempotency_key', { details })));
    }
    try {
      const answer = await runOperation({
        ...{ req, res, operation, principal, fail },
        input: withoutNulls(
          withoutEmptyTexts(isRead ? queryOf(fields) : fields, tool.optionalTexts),
          tool.optionalNulls,
        ),
        idempotencyKey: isRead ? null : keptKey(principal, String(key)),
        present: maskReceivers,
      });
      return answered(call, answer);
    } catch (thrown) {
      const error = fail(thrown);
      return !isRead && isUnknown(error.code) ? resultOf(call, unknownOutcome(error.body)) : answerError(error);
    }
  };

  return async (call: ToolCall): Promise<ToolResult> => {
    const result = await run(call);
    const code = call.requestContext.failure?.code;
    if (isNotedRejection(code)) await note(call, code);
    return result;
  };
}

/**
 * Says of an unknown argument what happened: unlike REST, which ignores it, a tool that gets one
 * does nothing.
 */
const asRejected = ({ suggestion, ...warning }: Warning): Warning => ({
  ...warning,
  message: `Não existe nesta ferramenta, e nada foi feito.${suggestion ? ` Você quis dizer ${suggestion}?` : ''}`,
  ...(suggestion && { suggestion }),
});

/**
 * The key as it is stored: an assistant's keys are its own, also after its API key is rotated. It
 * has blanks, which no key that is sent to REST has.
 */
const keptKey = ({ firstKeyId }: KeyOwner, key: string): string => `mcp ${firstKeyId} ${key}`;

/** Makes the result of an answer, whether it is new or was stored for the idempotency key. */
function answered(call: ToolCall, { status, body: sent, replayed }: OperationAnswer): ToolResult {
  const body = (typeof sent === 'string' ? JSON.parse(sent) : sent) as Body;
  if (isUnknown(body.code)) return resultOf(call, unknownOutcome(body));
  const result = resultOf(call, replayed ? { ...body, replayed } : body);
  return status >= 400 ? { ...result, isError: true } : result;
}

/**
 * Codes after which the outcome is unknown: the service failed on the way, or another call with
 * this key is in progress.
 */
const UNKNOWN: ReadonlySet<unknown> = new Set<ApiErrorCode>(['unavailable', 'internal', 'idempotency_key_running']);

const isUnknown = (code: unknown): boolean => UNKNOWN.has(code);

/** Not an error, because programs retry errors without reading them. */
const unknownOutcome = ({ code }: Body): Body => ({
  success: false,
  status: 'unknown',
  code,
  message:
    'It is not known yet whether this was done. Never call it with another idempotency_key for the same thing: it could be done twice. The same call with the same idempotency_key is safe, later: it answers what happened.',
});

function resultOf({ requestContext }: ToolCall, body: Body): ToolResult {
  requestContext.responseBody = body;
  return { content: [{ type: 'text', text: jsonText(body) }], structuredContent: body };
}

/**
 * A reading tool passes its arguments as texts of a query: a list is joined by commas, and null is
 * left out.
 */
function queryOf(sent: Record<string, unknown>): Record<string, unknown> {
  const texts = Object.entries(sent).flatMap(([name, value]) => (value === null ? [] : [[name, textOf(value)]]));
  return Object.fromEntries(texts);
}

/**
 * A value that can't be a text of a query is passed unchanged, and rejected as any wrong argument.
 */
function textOf(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  return value;
}
