import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** Delays every chunk by this time, in either direction. */
  setDelayMs(ms: number): void;
  /** Cuts every connection, with RST. New ones are let in. */
  cutAll(): void;
  close(): Promise<void>;
};

/**
 * A load balancer of TCP: passes connections on to the `targets` (ports on 127.0.0.1) in turn. A
 * target that accepts none is skipped, and the client's connection is cut where none accepts.
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
    const later = inOrder(() => delayMs);
    from.on('data', (chunk) => later(() => to.destroyed || to.write(chunk)));
    from.on('end', () => later(() => to.end()));
    from.on('close', () => later(() => to.destroy()));
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

/**
 * Returns a function that does each piece of work after the delay of its moment, and never before
 * the work that came before it: the bytes of a connection keep their order when its delay ends.
 */
function inOrder(delayMs: () => number): (work: () => void) => void {
  const waiting: { dueAt: number; work: () => void }[] = [];
  const runDue = () => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const waitMs = next.dueAt - performance.now();
      if (waitMs > 0) return void setTimeout(runDue, waitMs);
      waiting.shift();
      next.work();
    }
  };
  return (work) => {
    if (delayMs() === 0 && waiting.length === 0) return work();
    waiting.push({ dueAt: performance.now() + delayMs(), work });
    if (waiting.length === 1) runDue();
  };
}
