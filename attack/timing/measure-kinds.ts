import { Agent, request } from 'node:http';
import type { Arena } from '../subject.ts';

export type TimedRequest = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string };

export type Timed = { ms: number; status: number; text: string };

/** Returns a client with one connection that stays open: no call pays for opening one. */
export function openTimedClient(url: string): { send(what: TimedRequest): Promise<Timed>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    close: () => agent.destroy(),
    send: ({ method, path, headers, body = '' }) =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        const length = { 'content-length': String(Buffer.byteLength(body)) };
        const sent = request(url + path, { agent, method, headers: { ...headers, ...length } }, (answer) => {
          const ms = performance.now() - began;
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ ms, status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
        });
        sent.on('error', reject);
        sent.end(body);
      }),
  };
}

/**
 * Calls each kind once a round, in an order that is new in each, so that whatever makes the machine
 * slower with time does so for all alike. Returns the times by kind, without those of the first
 * rounds: the caches and the compiled code are then those of a running service.
 */
export async function measureKinds<Kind extends string>(
  arena: Pick<Arena, 'random'>,
  kinds: readonly Kind[],
  { rounds, warmUpRounds, call }: { rounds: number; warmUpRounds: number; call(kind: Kind): Promise<number> },
): Promise<Record<Kind, number[]>> {
  const times = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Record<Kind, number[]>;
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const kind of shuffled(kinds, arena.random)) {
      const ms = await call(kind);
      if (round >= 0) times[kind].push(ms);
    }
  }
  return times;
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
}
