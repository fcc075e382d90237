import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a provider fails on the wire, beside the failures of its simulator. */
export const PROVIDER_TROUBLES = [
  /** No connection is accepted. */
  'is away',
  /** The request is executed; the answer never comes. */
  'answers nothing after it has executed',
  /** The request is executed; the answer says that it failed. */
  'answers 500 after it has executed',
  /** A page of another server, with 200. */
  'answers garbage',
  /** The beginning of an answer, then the connection ends. */
  'breaks its answers off',
] as const;
export type ProviderTrouble = (typeof PROVIDER_TROUBLES)[number];

export type ProviderProxy = {
  url: string;
  setTrouble(trouble: ProviderTrouble | null): void;
  close(): Promise<void>;
};

const GARBAGE = '<!DOCTYPE html><title>Manutenção programada</title>{"status": "CONCLUIDA"';

/**
 * Starts a proxy between the service and the simulators, which passes calls on unless a trouble is
 * set.
 */
export async function startProviderProxy(target: string): Promise<ProviderProxy> {
  let trouble: ProviderTrouble | null = null;
  const server = createServer((req, res) => {
    if (trouble === 'is away') return void req.socket.destroy();
    if (trouble === 'answers garbage')
      return void res.writeHead(200, { 'content-type': 'application/json' }).end(GARBAGE);
    passOn(req, res);
  });

  function passOn(req: IncomingMessage, res: ServerResponse): void {
    const { host: _, ...headers } = req.headers;
    const passed = request(target + req.url, { method: req.method, headers, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (res.destroyed || trouble === 'answers nothing after it has executed') return;
      if (trouble === 'answers 500 after it has executed') return void res.writeHead(500).end();
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      if (trouble !== 'breaks its answers off') return void res.end(body);
      res.write(body.subarray(0, Math.floor(body.length / 2)), () => res.destroy());
    });
    passed.on('error', () => res.destroy());
    req.pipe(passed);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setTrouble(next) {
      trouble = next;
      // Requests that wait for an answer are cut off when the trouble is over.
      if (next === null) server.closeAllConnections();
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
