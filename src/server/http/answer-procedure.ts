import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { TRPCError } from '@trpc/server';
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';
import { resolveResponse } from '@trpc/server/http';
import type { AnyRouter, inferRouterContext } from '@trpc/server/unstable-core-do-not-import';
import type { DomainError } from '#domain/errors/domain-error.ts';
import { ERROR_CATALOGUE, type ErrorCode } from '#domain/errors/error-catalogue.ts';
import { readBody, toExactJson } from '../rest/body.ts';
import { setRetryAfter } from '../rest/send-rest-error.ts';
import { isHungUp } from './is-hung-up.ts';
import { JSON_MEDIA_TYPE } from './json.ts';

export type ProcedureCall<Router extends AnyRouter> = {
  router: Router;
  /** Names of procedures; of a batch, with commas between them. */
  path: string;
  bodyBytesMax: number;
  context: inferRouterContext<Router>;
  onError: (failed: { error: { code: string; cause?: unknown }; path: string | undefined }) => void;
};

/**
 * Answers a call of a router's procedures. Resolves when its work has ended and its answer was
 * sent, or could not be because the client hung up. tRPC's own handler for Node resolves when an
 * answer was sent, and a client that hangs up is sent none: whoever waits for it waits for ever.
 */
export async function answerProcedure<Router extends AnyRouter>(
  req: IncomingMessage,
  res: ServerResponse,
  { router, path, bodyBytesMax, context, onError }: ProcedureCall<Router>,
): Promise<void> {
  // Read here for the same reason: tRPC waits for the rest of a body that breaks off.
  const read = () => readBody(req, bodyBytesMax).then(toExactJson).catch(bodyReadError);
  const body = req.method === 'POST' ? await read() : undefined;
  const [text, error] = body instanceof Error ? ['', body] : [body, null];
  const request = incomingMessageToRequest(Object.assign(req, { body: text }), res, { maxBodySize: null });
  const response = await resolveResponse({
    router,
    path,
    error,
    req: request,
    createContext: async () => context,
    // JSON of a call that tRPC rejects before any procedure would go out as text/plain.
    responseMeta: ({ eagerGeneration }) => (eagerGeneration ? {} : { headers: { 'content-type': JSON_MEDIA_TYPE } }),
    onError,
  });
  // The unread rest of a body that is too large is not waited for.
  if (error && error.code !== 'PARSE_ERROR') res.setHeader('connection', 'close');
  // RFC 9110, section 15.5.6. A query is asked for by GET, a mutation by POST.
  if (response.status === ERROR_CATALOGUE.method_not_allowed.status)
    res.setHeader('allow', req.method === 'GET' ? 'POST' : 'GET');
  if (response.status === ERROR_CATALOGUE.unavailable.status) setRetryAfter(res, { code: 'unavailable' });
  res.statusCode = response.status;
  for (const [name, value] of response.headers) res.setHeader(name, value);
  if (response.body && isStream(response)) return sendPieces(res, response.body as ReadableStream);
  res.end(await response.text());
}

const isStream = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/event-stream') === true;

async function sendPieces(res: ServerResponse, pieces: ReadableStream): Promise<void> {
  try {
    await pipeline(Readable.fromWeb(pieces), res);
  } catch (error) {
    // The pipeline closes the response on every error: only the error says whether the client hung
    // up.
    if (!isHungUp(error)) throw error;
  }
}

const bodyReadError = ({ code }: DomainError) => new TRPCError({ code: BODY_ERRORS[code] ?? 'BAD_REQUEST' });

const BODY_ERRORS: Partial<Record<ErrorCode, 'PAYLOAD_TOO_LARGE' | 'PARSE_ERROR'>> = {
  body_too_large: 'PAYLOAD_TOO_LARGE',
  invalid_json: 'PARSE_ERROR',
};
