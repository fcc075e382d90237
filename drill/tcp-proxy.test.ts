import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startTcpProxy } from './tcp-proxy.ts';

/** A server that keeps what one client sends until the end, beside a proxy in front of it. */
async function behindProxy() {
  const received = Promise.withResolvers<string>();
  const server = createServer((socket: Socket) => void text(socket).then(received.resolve, received.reject));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await startTcpProxy(() => [(server.address() as AddressInfo).port]);
  const client = connect({ port: proxy.port, host: '127.0.0.1' });
  await once(client, 'connect');
  return {
    ...{ proxy, client, received: received.promise },
    async close() {
      client.destroy();
      await proxy.close();
      server.close();
    },
  };
}

test('what is sent through a proxy that delays arrives in its order, also what came after the delay had ended', async () => {
  const { proxy, client, received, close } = await behindProxy();
  proxy.setDelayMs(40);
  client.write('first ');
  await new Promise((resolve) => setTimeout(resolve, 20));
  proxy.setDelayMs(0);
  client.end('second');
  expect(await received).toBe('first second');
  await close();
});

test('what is sent through a proxy that delays is whole when its connection ends', async () => {
  const { proxy, client, received, close } = await behindProxy();
  proxy.setDelayMs(20);
  client.end('everything');
  expect(await received).toBe('everything');
  await close();
});
