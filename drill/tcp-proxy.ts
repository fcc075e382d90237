import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** Every chunk waits so long, in either direction. */
  setDelayMs(ms: number): void;
  /** Cuts every connection, with RST. New ones are let in. */
  cutAll(): void;
  close(): Promise<void>;
};

/**
 * Passes connections on to one of the `targets` (ports on 127.0.0.1) in turn; one that accepts none
 * is passed over, and where none accepts the client's connection is cut: a load balancer of TCP.
 */
export async function startTcpProxy(targets: () => readonly number[]): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let delayMs = 0;
  let turn = 0;
  const server = createServer({ noDelay: true }, (client) => {
    track(client);
    const ports = targets();
    turn++;
    passOn(client, [...ports.slice(turn % ports.length), ...ports.slice(0, turn % ports.length)]);
  });

  const track = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  };

  const passOn = (client: Socket, [port, ...others]: number[]) => {
    if (port === undefined) return void client.resetAndDestroy();
    const target = connect({ port, host: '127.0.0.1', noDelay: true });
    track(target);
    const next = () => passOn(client, others);
    target.once('error', next);
    target.once('connect', () => {
      target.off('error', next);
      join(client, target);
      join(target, client);
    });
  };

  const join = (from: Socket, to: Socket) => {
    // Chunks leave in the order in which they came: all wait equally long.
    from.on('data', (chunk) => {
      if (delayMs > 0) setTimeout(() => to.destroyed || to.write(chunk), delayMs);
      else to.write(chunk);
    });
    from.on('end', () => to.end());
    from.on('close', () => setTimeout(() => to.destroy(), delayMs));
    from.on('error', () => to.resetAndDestroy());
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    setDelayMs(ms) {
      delayMs = ms;
    },
    cutAll() {
      for (const socket of open) socket.resetAndDestroy();
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
