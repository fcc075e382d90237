import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request as it arrived; requests for tokens are not kept. */
type SeenCall = { call: string; headers: IncomingHttpHeaders; body: string };

/** One answer of the script; `silence` never answers, `cut` drops the connection. */
export type Answer = 'silence' | 'cut' | { status: number; body?: string | object; headers?: Record<string, string> };

export type ScriptedPsp = {
  baseUrl: string;
  calls: SeenCall[];
  tokenCalls: SeenCall[];
  /** The answers to API calls, in turn; after the last one they get 404 with a problem body. */
  answers: Answer[];
  /**
   * The answers to token requests, in turn; after the last one they get `token-1`, `token-2`, …,
   * valid for an hour.
   */
  tokenAnswers: Answer[];
  /** A token that gets 401 from now on, whatever the script says. */
  revokedToken: string | null;
  /** Awaited before a call is answered. */
  beforeAnswer: () => void | Promise<void>;
  close(): Promise<void>;
};

export const NOT_FOUND: Answer = {
  status: 404,
  body: { type: 'https://pix.bcb.gov.br/api/v2/error/NaoEncontrado', title: 'Não Encontrado', status: 404 },
};

/** A PSP that sends a test's responses and keeps the requests. With `tls` it uses HTTPS. */
export async function startScriptedPsp(tls?: ServerOptions): Promise<ScriptedPsp> {
  let tokensIssued = 0;
  const listener: RequestListener = async (req, res) => {
    const seen: SeenCall = { call: `${req.method} ${req.url}`, headers: req.headers, body: await textOf(req) };
    if (req.url === '/psp/api/oauth/token') {
      psp.tokenCalls.push(seen);
      tokensIssued += 1;
      const body = { access_token: `token-${tokensIssued}`, token_type: 'Bearer', expires_in: 3600 };
      send(res, psp.tokenAnswers.shift() ?? { status: 200, body });
      return;
    }
    psp.calls.push(seen);
    await psp.beforeAnswer();
    if (req.headers.authorization === `Bearer ${psp.revokedToken}`) {
      send(res, { status: 401, body: { title: 'Não autorizado' } });
      return;
    }
    send(res, psp.answers.shift() ?? NOT_FOUND);
  };
  const server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const psp: ScriptedPsp = {
    baseUrl: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/psp/api/`,
    calls: [],
    tokenCalls: [],
    answers: [],
    tokenAnswers: [],
    revokedToken: null,
    beforeAnswer: () => {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return psp;
}

function send(res: ServerResponse, answer: Answer): void {
  if (answer === 'silence') return;
  if (answer === 'cut') {
    res.destroy();
    return;
  }
  const body = typeof answer.body === 'object' ? JSON.stringify(answer.body) : (answer.body ?? '');
  res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(body);
}

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
