import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/server';
import { API_VERSION } from '#contract/api-version.ts';
import { isAgentKey } from '#domain/api-keys/permissions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { KeyOwner } from '#services/api-keys/authenticator.ts';
import { jsonRequest } from '../http/json.ts';
import type { RequestContext } from '../http/request-context.ts';
import { isPermitted } from '../procedures/procedure.ts';
import { DEPTH_MAX, readJsonObject } from '../rest/body.ts';
import type { RequestAuthenticator } from '../rest/request-authenticator.ts';
import { keyOf } from './key-of.ts';
import { MCP_PATH } from './mcp-path.ts';
import type { OriginRules } from './origin-rules.ts';
import { createToolCaller } from './tool-caller.ts';
import { createTools, INSTRUCTIONS, type McpTool } from './tools.ts';

export type McpHandler = (req: IncomingMessage, res: ServerResponse, requestContext: RequestContext) => Promise<void>;

/** The protocol's library, which is loaded for the first request: few have an assistant. */
type Protocol = typeof import('@modelcontextprotocol/server');

type Parts = Parameters<typeof createToolCaller>[0] & {
  publicUrl: string;
  originRules: OriginRules;
  authenticateRequest: RequestAuthenticator;
};

/** One request, and its principal. */
type McpCall = { req: IncomingMessage; res: ServerResponse; requestContext: RequestContext; principal: KeyOwner };

/** The headers of the protocol's answer that are passed on: those that describe the body. */
const ANSWER_HEADERS = ['content-type', 'mcp-protocol-version'] as const;

/**
 * The Model Context Protocol over HTTP, for assistants: stateless, one JSON answer a POST. No
 * session, no stream, nothing that a process would have to remember. Checked before the protocol,
 * in this order: the origin, the method, the key, and the body; errors of these are answered as
 * REST does.
 */
export function createMcpHandler(parts: Parts): McpHandler {
  const { originRules, authenticateRequest } = parts;
  const callTool = createToolCaller(parts);
  const url = new URL(MCP_PATH, parts.publicUrl);

  /** Makes a server for one request, with the tools of its key. */
  const serverFor = ({ ProtocolError, ProtocolErrorCode, Server }: Protocol, call: McpCall): Server => {
    const { principal } = call;
    const tools = allTools();
    const mayCall = (tool: McpTool) => isPermitted(principal, tool.operation.meta);
    const server = new Server(
      { name: 'trilho', version: API_VERSION },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler('tools/list', async () => ({ tools: tools.filter(mayCall).map(listed) }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const tool = tools.find(({ name }) => name === params.name);
      // A tool that the key may not call is answered as unknown.
      if (!tool || !mayCall(tool)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
      return callTool({ ...call, tool, sent: params.arguments ?? {} });
    });
    return server;
  };

  return async (req, res, requestContext) => {
    requestContext.route = MCP_PATH;
    // Balances and payers' data are for this caller only.
    res.setHeader('cache-control', 'no-store');
    if (!originRules.isAllowed(req.headers)) throw new DomainError('origin_not_allowed');
    if (req.method !== 'POST') {
      res.setHeader('allow', 'POST');
      throw new DomainError('method_not_allowed');
    }
    const principal = await authenticateRequest(req, res, noteOwner(requestContext), keyOf(req));
    if (!isAgentKey(principal.permissions)) throw new DomainError('permission_denied');
    const message = await readJsonObject(req, DEPTH_MAX);
    const call = { req, res, requestContext, principal };
    const protocol = await import('@modelcontextprotocol/server');
    await send(res, await answer(protocol, message, webRequest(url, req), () => serverFor(protocol, call)));
  };
}

/** Made at the first request: it takes as long as a tenth of a start, and few have an assistant. */
const allTools = (): McpTool[] => {
  made ??= createTools();
  return made;
};
let made: McpTool[] | undefined;

const noteOwner = (requestContext: RequestContext) => (owner: KeyOwner) => {
  requestContext.accountId = owner.accountId;
  requestContext.keyId = owner.keyId;
};

const listed = ({ name, title, description, inputSchema, outputSchema, annotations }: McpTool) => ({
  ...{ name, title, description, inputSchema, annotations },
  ...(outputSchema && { outputSchema }),
});

/** Answers in either era of the protocol: with a handshake before the calls, or without one. */
async function answer(
  { createMcpHandler: createModernHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport }: Protocol,
  message: unknown,
  request: Request,
  createServer: () => Server,
): Promise<Response> {
  if (!(await isLegacyRequest(request, message))) {
    // Streams of changes are not offered: the tools of a key change when its holder changes it.
    const handler = createModernHandler(createServer, { legacy: 'reject', maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody: message });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await createServer().connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}

/** The request without its key and origin, which were checked before. */
function webRequest(url: URL, req: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string' && (name === 'accept' || name.startsWith('mcp-'))) headers.set(name, value);
  }
  // The message is handed over beside it, as it was read.
  return jsonRequest(url, {}, headers);
}

async function send(res: ServerResponse, response: Response): Promise<void> {
  const text = await response.text();
  res.statusCode = response.status;
  for (const name of ANSWER_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) res.setHeader(name, value);
  }
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
}
