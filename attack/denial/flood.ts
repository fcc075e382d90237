import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The flood in a process of its own, so that it costs the process that serves only the requests.
 */
export type Flood = { url: string; apiKey: string; kind: 'passwords' | 'lists'; clients: number };

const flood = JSON.parse(process.argv[2] ?? '{}') as Flood;
/** Without a pause, a client that is rejected at once would only load this process. */
const PAUSE_MS = 5;
let sent = 0;

/** From an address and for a login that are new each time: the limits of neither are reached. */
const guess = (number: number) =>
  fetch(`${flood.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: {
      origin: flood.url,
      'content-type': 'application/json',
      'x-forwarded-for': `198.19.${(number >> 8) & 255}.${number & 255}`,
    },
    body: JSON.stringify({ email: `ninguem-${number}@example.com`, password: 'uma frase qualquer' }),
  });

const list = () => fetch(`${flood.url}/payments/transactions?limit=100`, { headers: { 'x-api-key': flood.apiKey } });

async function client(): Promise<never> {
  for (;;) {
    const answer = await (flood.kind === 'passwords' ? guess(++sent) : list()).catch(() => null);
    await answer?.arrayBuffer().catch(() => {});
    await sleep(PAUSE_MS);
  }
}

// It ends with its parent process.
process.on('disconnect', () => process.exit());
await Promise.all(Array.from({ length: flood.clients }, client));
