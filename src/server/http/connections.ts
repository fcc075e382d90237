import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export type ConnectionLimits = {
  /**
   * Connections of one client's address; a browser opens six, an office or a carrier has many
   * browsers behind one address.
   */
  perAddress: number;
  /** Of everybody together: each costs some tens of kilobytes. */
  total: number;
  /** How long a client may take nothing of its answer: by then it is gone, or fills our memory. */
  stalledMs: number;
  checkIntervalMs: number;
};

export const CONNECTION_LIMITS: ConnectionLimits = {
  perAddress: 512,
  total: 8_192,
  stalledMs: 20_000,
  checkIntervalMs: 1_000,
};

/**
 * Bounds the connections of an address, and cuts those whose client does not read what it asked
 * for. `addressOf` returns null for a trusted proxy: it has many clients.
 */
export function boundConnections(
  server: Server,
  addressOf: (socket: Socket) => string | null,
  { perAddress, total, stalledMs, checkIntervalMs }: ConnectionLimits,
  now: () => number = () => performance.now(),
): void {
  const counts = new Map<string, number>();
  /** What each had taken when it was last seen to take something. */
  const taken = new Map<Socket, { bytes: string; at: number }>();
  server.maxConnections = total;

  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    const count = address === null ? 0 : (counts.get(address) ?? 0);
    if (count >= perAddress) return void socket.destroy();
    if (address !== null) counts.set(address, count + 1);
    taken.set(socket, { bytes: '', at: now() });
    socket.once('close', () => {
      taken.delete(socket);
      if (address === null) return;
      const left = (counts.get(address) ?? 1) - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
  });

  const look = () => {
    const at = now();
    for (const [socket, seen] of taken) {
      const bytes = takenBy(socket);
      if (socket.writableLength === 0 || bytes !== seen.bytes) taken.set(socket, { bytes, at });
      else if (at - seen.at >= stalledMs) socket.destroy();
    }
  };
  const timer = setInterval(look, checkIntervalMs).unref();
  server.once('close', () => clearInterval(timer));
}

/**
 * Changes whenever the client takes something: whole pieces are counted off by Node, parts of one
 * by the system's own queue.
 */
function takenBy(socket: Socket): string {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize ?? 0}`;
}
