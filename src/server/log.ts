import pino from 'pino';
import type { Log } from '#services/deps.ts';
import { scrub } from './scrub.ts';

/** JSON lines, one per event, to `destination` (standard error: standard output is for the program's answers). */
export function createLog(options: { level: string; destination?: pino.DestinationStream }): Log & { flush(): void } {
  const destination = options.destination ?? pino.destination({ fd: 2, sync: false });
  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: scrub },
    },
    destination,
  );
  return Object.assign(log, {
    flush: () => 'flushSync' in destination && (destination as { flushSync(): void }).flushSync(),
  });
}
