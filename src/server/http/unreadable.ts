import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { API_VERSION } from '#contract/api-version.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { type ApiErrorCode, ERROR_CATALOGUE } from '#domain/errors/error-catalogue.ts';
import { type RestError, restError } from '../rest/errors.ts';
import { JSON_MEDIA_TYPE, jsonText } from './json.ts';

/** Headers of every answer of this server. */
export const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
];

/**
 * How long a client has to read the error before the connection is cut, whatever it still sends.
 */
const LINGER_MS = 2_000;

/**
 * Answers what never becomes a request for a handler: bytes that are no HTTP (a length and chunks
 * at once, a name with a blank behind it, headers above Node's limit), and CONNECT. The answer has
 * the shape of every other error; then the connection ends, because the beginning of the next
 * request is unknown. A connection on which nothing was sent in time ends without an answer.
 */
export function answerUnreadable(server: Server): void {
  const latest = new WeakMap<Duplex, { req: IncomingMessage; res: ServerResponse }>();
  server.on('request', (req, res) => latest.set(req.socket, { req, res }));
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return;
    // A browser opens connections ahead: it would take an answer for that to its next request.
    if (isUnused(socket)) return void socket.destroy();
    const before = latest.get(socket);
    if (before?.req.complete && !before.res.writableEnded) {
      // A whole request before this one waits for its answer: the client would take ours for that.
      before.res.shouldKeepAlive = false;
      return;
    }
    sendRaw(socket, 'bad_request');
  });
  server.on('connect', (_req, socket) => sendRaw(socket, 'method_not_allowed', [['allow', 'GET, HEAD, POST']]));
}

const isUnused = (socket: Duplex): boolean => socket instanceof Socket && socket.bytesRead === 0;

function sendRaw(socket: Duplex, code: ApiErrorCode, headers: readonly (readonly [string, string])[] = []): void {
  const { status, body }: RestError = restError(new DomainError(code));
  const text = jsonText(body);
  const lines = [
    `HTTP/1.1 ${status} ${ERROR_CATALOGUE[code].error.normalize('NFD').replace(/[^ -~]/g, '')}`,
    ...[
      ['content-type', JSON_MEDIA_TYPE],
      ['content-length', String(Buffer.byteLength(text))],
      ['connection', 'close'],
      ['x-request-id', randomUUID()],
      ['x-api-version', API_VERSION],
      ...SECURITY_HEADERS,
      ...headers,
    ].map(([name, value]) => `${name}: ${value}`),
  ];
  socket.on('error', () => {});
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
