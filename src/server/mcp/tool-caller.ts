import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { KeyOwner } from '#services/api-keys/authenticator.ts';
import { isNotedRejection, type RejectionAudit, rejectedName } from '#services/audit/rejection-audit.ts';
import { jsonText } from '../http/json.ts';
import { originOf } from '../http/origin-of.ts';
import type { RequestContext } from '../http/request-context.ts';
import { type RestError, toRestError } from '../rest/errors.ts';
import type { OperationRunner } from '../rest/operation-runner.ts';
import { withoutEmptyTexts } from '../rest/optional-texts.ts';
import { warnOfBody } from '../rest/unknown-fields.ts';
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

/** What an assistant is answered: JSON, as a text for those that read nothing else. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
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

  return async (call: ToolCall): Promise<ToolResult> => {
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
    const answerError = ({ body }: RestError): ToolResult => {
      requestContext.responseBody = body;
      return { ...resultOf(body), isError: true };
    };
    const unknown = warnOfBody(sent, tool.knownFields);
    if (unknown.length > 0) return answerError(fail(new DomainError('invalid_input', { details: [] }), unknown));
    try {
      const input = withoutEmptyTexts(operation.method === 'GET' ? queryOf(sent) : sent, tool.optionalTexts);
      const answer = await runOperation({
        ...{ req, res, operation, principal, input, fail },
        idempotencyKey: null,
        present: (output) => output,
      });
      requestContext.responseBody = answer.body;
      return resultOf(answer.body as object);
    } catch (thrown) {
      const error = fail(thrown);
      if (isNotedRejection(error.code)) await note(call, error.code);
      return answerError(error);
    }
  };
}

const resultOf = (body: object): ToolResult => ({
  content: [{ type: 'text', text: jsonText(body) }],
  structuredContent: body as Record<string, unknown>,
});

/** What reads takes texts, as a query has them: a list is one with commas. Null is not sent. */
function queryOf(sent: Record<string, unknown>): Record<string, unknown> {
  const texts = Object.entries(sent).flatMap(([name, value]) => (value === null ? [] : [[name, textOf(value)]]));
  return Object.fromEntries(texts);
}

/** What can be no text of a query stays as it is, and is rejected as every wrong argument is. */
function textOf(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  return value;
}
