import { Session } from 'node:inspector/promises';

/**
 * Loaded by `--import` into a process of the service: answers how many bytes of memory it takes
 * once its garbage is collected. Without that V8 leaves what is dead for as long as nothing presses
 * it, and a process that keeps nothing grows for hours.
 */
export type MemoryOrder = { memory: 'after a collection' };
export type MemoryReport = { residentBytes: number };

const session = new Session();
session.connect();

process.on('message', async (order: Partial<MemoryOrder>) => {
  if (!order.memory) return;
  await session.post('HeapProfiler.collectGarbage');
  const report: MemoryReport = { residentBytes: process.memoryUsage.rss() };
  process.send?.(report);
});
