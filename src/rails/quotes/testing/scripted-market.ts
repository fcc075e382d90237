import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `silence` never answers, `drip` sends a byte now and then and never ends, `cut` drops the
 * connection.
 */
export type Answer =
  | 'silence'
  | 'drip'
  | 'cut'
  | { status: number; body?: string | object; headers?: Record<string, string> };

export type ScriptedMarket = {
  baseUrl: string;
  /** The path and query of each call. */
  calls: string[];
  /** Returns the answer to a call; 404 in JSON unless a test sets another one. */
  answer: (call: string) => Answer;
  close(): Promise<void>;
};

/** A market that sends a test's responses. Its API begins below a path, as behind a proxy. */
export async function startScriptedMarket(): Promise<ScriptedMarket> {
  const server = createServer((req, res) => {
    const call = (req.url ?? '').replace(/^\/proxy/, '');
    market.calls.push(call);
    send(res, market.answer(call));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const market: ScriptedMarket = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/proxy/`,
    calls: [],
    answer: () => ({ status: 404, body: { error: 'nothing scripted' } }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return market;
}

function send(res: ServerResponse, answer: Answer): void {
  if (answer === 'silence') return;
  if (answer === 'cut') {
    res.destroy();
    return;
  }
  if (answer === 'drip') {
    res.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => res.write(' '), 10);
    res.on('close', () => clearInterval(timer));
    return;
  }
  const body = typeof answer.body === 'object' ? JSON.stringify(answer.body) : (answer.body ?? '');
  res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(body);
}
