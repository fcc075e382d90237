import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import type { ReceiverTrouble } from './receiver.ts';

const CLIENTS = 4;
const LASTS_MS = 3_000;
/** The first repetition comes after 5 s and succeeds; the next one would take 5 min. */
const PAUSE_MS = 8_000;
const ROUNDS = { short: 1, long: 3 };
const HUGE_BYTES = 10 * 1024 ** 3;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
/** How much of an answer a sender takes before it cuts it off, with the sockets' buffers. */
const TAKEN_MAX_BYTES = 64 * 1024 ** 2;

/**
 * Merchants' servers that hang, answer without end, redirect, cut off or fail: every event arrives
 * all the same, and the events of others do not wait.
 */
export const receiverTroubles: Drill = {
  name: 'receivers in trouble',
  installation: {},
  // A receiver that failed twice is tried again after five minutes.
  patienceMs: 12 * 60_000,
  async run(scene) {
    const { installation, load } = scene;
    const { receiver } = installation;
    let followed = 0;
    const elsewhere = createServer((_, res) => {
      followed++;
      res.end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const otherUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    let mostTaken = 0;
    const troubles: Record<string, ReceiverTrouble> = {
      'receivers hang': { answer: () => {} },
      'receivers answer 10 GB': {
        isSuccess: true,
        answer: (_, res) => {
          let sent = 0;
          const more = () => {
            while (sent < HUGE_BYTES && !res.destroyed) {
              sent += CHUNK.length;
              mostTaken = Math.max(mostTaken, sent);
              if (!res.write(CHUNK)) return void res.once('drain', more);
            }
          };
          res.on('error', () => {});
          more();
        },
      },
      'receivers redirect': { answer: (_, res) => void res.writeHead(302, { location: otherUrl }).end() },
      'receivers reset the connection': { answer: (req) => void req.socket.resetAndDestroy() },
      'receivers answer 500': { answer: (_, res) => void res.writeHead(500).end() },
    };
    load.start(CLIENTS);
    try {
      for (let round = 0; round < scene.times(ROUNDS.short, ROUNDS.long); round++) {
        for (const [name, trouble] of Object.entries(troubles)) {
          if (round > 0 && !scene.hasTime()) break;
          await scene.injectLasting(name, LASTS_MS, async () => {
            receiver.misbehave(trouble);
            return () => receiver.misbehave(null);
          });
          await sleep(PAUSE_MS);
        }
      }
    } finally {
      elsewhere.closeAllConnections();
      elsewhere.close();
    }
    if (followed > 0) scene.fail(`${followed} redirects were followed`);
    if (mostTaken > TAKEN_MAX_BYTES) scene.fail(`${mostTaken} bytes of one answer were taken`);
  },
};
