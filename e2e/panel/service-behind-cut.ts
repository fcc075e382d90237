import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A line to the service that can be cut: to the browser it is as if the service had ended. */
export async function cuttableLine(baseURL: string): Promise<{
  /** The service's address through this line. */
  url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}> {
  const target = Number(new URL(baseURL).port);
  const sockets = new Set<Socket>();
  const listen = (port: number) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => {
        const service = connect(target, '127.0.0.1');
        for (const [one, other] of [
          [socket, service],
          [service, socket],
        ] as const) {
          sockets.add(one);
          one.on('error', () => other.destroy());
          one.on('close', () => {
            sockets.delete(one);
            other.destroy();
          });
          one.pipe(other);
        }
      });
      server.listen(port, '127.0.0.1', () => resolve(server));
    });
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async mend() {
      server = await listen(port);
    },
  };
}
