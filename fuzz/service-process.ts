import { copyTemplate, startTestServer } from '#db/testing/test-server.ts';
import { startTestService } from '../src/testing/test-service.ts';
import { type FuzzSupervision, openFuzzTarget } from './fuzz-target.ts';
import { superviseService } from './supervise-service.ts';

/** The fuzzer's orders to the service's process; `stop` ends it. */
export type ServiceOrder = keyof FuzzSupervision | 'open' | 'stop';

/**
 * The fuzzed service in a process of its own, so that its memory is its own: it answers each order
 * with a message, and ends when it is asked to or when its parent has gone.
 */
const closing: (() => unknown)[] = [];
let closed: Promise<void> | undefined;
const close = () => {
  closed ??= (async () => {
    for (let undo = closing.pop(); undo; undo = closing.pop()) await undo();
  })();
  return closed;
};
const end = () => void close().then(() => process.exit(0));
process.on('disconnect', end);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);

const server = await startTestServer();
closing.push(() => server.stop());
const service = await startTestService({
  createDatabase: () => copyTemplate(server),
  pages: 'built',
  // The requests come from one address, with few keys.
  variables: { RATE_LIMIT_PER_KEY: '10000000', RATE_LIMIT_FAILED_KEYS: '10000000', LOG_LEVEL: 'info' },
});
closing.push(() => service.stop());
const supervision = superviseService(service);

process.on('message', async (order: ServiceOrder) => {
  if (order === 'stop') return end();
  try {
    const value = order === 'open' ? await openFuzzTarget(service, closing) : await supervision[order]();
    process.send?.({ value: value ?? null });
  } catch (error) {
    process.send?.({ error: (error as Error).stack });
  }
});
process.send?.({ value: 'ready' });
