import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { boundConnections, CONNECTION_LIMITS } from './connections.ts';

const LARGE = Buffer.alloc(64 * 1024 * 1024);
const PIECE = 512 * 1024;

let server: Server;
/** The time that stalled clients are measured by. */
let nowMs = 0;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listen(limits: Partial<typeof CONNECTION_LIMITS>, addressOf: () => string | null = () => '192.0.2.1') {
  server = createServer((req, res) => res.end(req.url === '/large' ? LARGE : 'small'));
  boundConnections(server, addressOf, { ...CONNECTION_LIMITS, ...limits }, () => nowMs);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return () => connect(port, '127.0.0.1').on('error', () => {});
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));
const answered = (socket: Socket) => {
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))));
};

test('an address has a limited number of connections; one that ends makes room for another', async () => {
  const open = await listen({ perAddress: 2 });
  const [first, second] = [open(), open()];
  await Promise.all([answered(first), answered(second)]);
  await closed(open());
  const gone = new Promise((resolve) => server.once('connection', () => resolve(null)));
  first.destroy();
  await closed(first);
  for (;;) {
    const next = open();
    const answer = await Promise.race([answered(next), closed(next)]);
    if (answer) break;
  }
  await gone;
  expect(await answered(second)).toContain('200 OK');
});

test('a trusted proxy has many clients', async () => {
  const open = await listen({ perAddress: 1 }, () => null);
  expect(await Promise.all([answered(open()), answered(open())])).toHaveLength(2);
});

test('a client that does not read its answer is cut; one that takes its time is not', async () => {
  const open = await listen({ stalledMs: 60, checkIntervalMs: 10 });
  const ends: string[] = [];
  server.on('connection', (socket) => socket.once('close', () => ends.push('cut')));
  const deaf = open();
  deaf.pause();
  deaf.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  while (ends.length === 0) {
    nowMs += 10;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  const slow = open();
  slow.write('GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  // The answer takes far longer than a client may take nothing; this one takes something all the
  // time.
  const begunMs = nowMs;
  let received = 0;
  for await (const bytes of slow) {
    const pieces = Math.floor(received / PIECE);
    received += (bytes as Buffer).length;
    nowMs += Math.floor(received / PIECE) - pieces;
  }
  expect(nowMs - begunMs).toBeGreaterThan(60);
  expect(received).toBeGreaterThan(LARGE.length);
  deaf.destroy();
});
