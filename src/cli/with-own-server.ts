import { onInterruption } from './on-interruption.ts';

/** The operator, or a supervisor, has ended the command. */
export class InterruptedError extends Error {}

/**
 * Runs `work` with the database server that `start` starts, and stops it in every case, also when
 * the command is interrupted: a server that is left running has nobody who watches it. What is
 * under way then fails, and its transaction is rolled back. A server that is the running service's
 * (`adopted`) stays, and an interruption ends the command at once. Throws InterruptedError.
 */
export async function withOwnServer<S extends { stop(): Promise<void>; adopted: boolean }, T>(
  start: () => Promise<S>,
  work: (server: S) => Promise<T>,
): Promise<T> {
  let isInterrupted = false;
  let stop: (() => Promise<void>) | undefined;
  const interrupt = () => {
    isInterrupted = true;
    void stop?.();
  };
  const release = onInterruption(interrupt, { defers: true });
  try {
    const server = await start();
    if (server.adopted) release();
    else stop = () => server.stop();
    try {
      if (isInterrupted) throw new Error('The command was interrupted while its server started.');
      return await work(server);
    } finally {
      await server.stop();
    }
  } catch (error) {
    if (!isInterrupted) throw error;
    throw new InterruptedError('Interrupted: what was not done by then is not done.');
  } finally {
    release();
  }
}
